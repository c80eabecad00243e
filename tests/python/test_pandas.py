"""What pandas and DuckDB make of a table."""
import contextlib
import importlib.util
import sqlite3
import unittest

from support import SKETCH, ScratchTest, main, turn_by

import swizzle_synth as sw


class Frames(ScratchTest):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "sweep.sqlite"
        self.table = sw.sweep(sw.Space([sw.Pair(SKETCH, turn_by(1), "turn")], sizes={"n": [32, 64]}), self.path)
        self.addCleanup(self.table.close)

    def test_sizes_are_columns(self):
        frame = self.table.to_pandas()
        self.assertEqual(sorted(frame["size_n"]), [32, 64])
        self.assertEqual(set(frame["outcome"]), {"found"})
        self.assertEqual(frame["cost"].nunique(), 1)

    def test_pandas_reads_the_file(self):
        import pandas
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            frame = pandas.read_sql("SELECT name, json_extract(sizes, '$.n') AS n, cost FROM results", connection)
        self.assertEqual(sorted(frame["n"]), [32, 64])

    @unittest.skipUnless(importlib.util.find_spec("duckdb"), "there is no duckdb")
    def test_duckdb_reads_the_frame(self):
        import duckdb
        frame = self.table.to_pandas()
        self.assertEqual(duckdb.sql("SELECT name, count(*), max(size_n) FROM frame GROUP BY name").fetchall(),
                         [("turn", 2, 64)])

    @unittest.skipUnless(importlib.util.find_spec("duckdb"), "there is no duckdb")
    def test_duckdb_reads_the_file(self):
        import duckdb
        connection = duckdb.connect()
        try:
            connection.execute(f"ATTACH '{self.path}' AS swept (TYPE sqlite)")
        except duckdb.Error as error:
            self.skipTest(f"duckdb has no sqlite extension here: {str(error).splitlines()[0]}")
        query = "SELECT count(*), max(CAST(json_extract(sizes, '$.n') AS INTEGER)) FROM swept.results"
        self.assertEqual(connection.execute(query).fetchall(), [(2, 64)])


if __name__ == "__main__":
    main("pandas")
