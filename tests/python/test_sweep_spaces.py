"""What a sweep goes through, and files that say it: without the tool."""
import doctest
import unittest

from support import SKETCH, ScratchTest, main, turn_by

import swizzle_synth as sw
from swizzle_synth.sweeps import read_sweep, space
from swizzle_synth.sweeps.bundle import Bundle, digest, with_includes


class Spaces(ScratchTest):
    def test_docstrings(self):
        self.assertEqual(doctest.testmod(space).failed, 0)

    def test_all_axes_are_multiplied(self):
        tasks = list(sw.Space([(SKETCH, turn_by(1)), (SKETCH, turn_by(2))], sizes={"n": range(32, 128, 32)},
                              defines=[{"A": 1}, {"B": None}], machines=["sm_90", "toy8"]).tasks())
        self.assertEqual(len(tasks), 2 * 3 * 2 * 2)
        self.assertEqual(len({task.key for task in tasks}), len(tasks))
        self.assertEqual((tasks[-1].sizes, tasks[-1].defines, tasks[-1].machine), ({"n": 96}, {"B": None}, "toy8"))

    def test_a_pair_may_have_axes_of_its_own(self):
        pairs = [sw.Pair(SKETCH, turn_by(1), "one", sizes=[{"m": 1}], machines=[None]), (SKETCH, turn_by(2))]
        tasks = list(sw.Space(pairs, sizes={"n": [32, 64]}, machines=["toy8"]).tasks())
        self.assertEqual([(task.name, task.sizes, task.machine) for task in tasks],
                         [("one", {"m": 1}, None), ("sketch", {"n": 32}, "toy8"), ("sketch", {"n": 64}, "toy8")])

    def test_the_same_task_is_done_once(self):
        self.assertEqual(len(list(sw.Space([(SKETCH, turn_by(1))] * 3, sizes={"n": [32, 32]}).tasks())), 1)

    def test_numbers_of_numpy_are_numbers(self):
        class Number(int):
            def item(self):
                return int(self)

        task = next(sw.Space([(SKETCH, turn_by(1))], sizes={"n": [Number(32)]}).tasks())
        self.assertIs(type(task.sizes["n"]), int)

    def test_keys_change_with_what_is_asked(self):
        def key(sketch="a.cu", tool="", **axes):
            return next(sw.Space([(self.folder / sketch, turn_by(1))], **axes).tasks(tool)).key

        (self.folder / "a.cu").write_text('#include "inner/a.h"\n' + SKETCH)
        (self.folder / "b").mkdir()
        keys = [key(), key(tool="newer"), key(sizes={"n": [64]}), key(defines={"n": [64]}), key(machines=["toy8"]),
                key(options={"first": True})]
        (self.folder / "inner").mkdir()
        (self.folder / "inner" / "a.h").write_text('#include "b.h"\n')
        keys.append(key())
        (self.folder / "inner" / "b.h").write_text("int b;\n")
        keys.append(key())
        (self.folder / "a.cu").write_text('#include "inner/a.h"\n' + SKETCH + "\n")
        keys.append(key())
        self.assertEqual(len(set(keys)), len(keys))
        self.assertEqual(key(), keys[-1])

    def test_keys_change_with_headers_in_other_folders(self):
        text, keys = '#include "far.h"\n' + SKETCH, set()
        for value in (1, 2):
            (self.folder / "far.h").write_text(f"#define FAR {value}\n")
            tasks = sw.Space([(text, turn_by(1))], options={"include": [str(self.folder)]}).tasks()
            keys.add(next(tasks).key)
        self.assertEqual(len(keys), 2)

    def test_keys_do_not_change_with_the_folder(self):
        for folder in ("a", "b"):
            (self.folder / folder / "inner").mkdir(parents=True)
            (self.folder / folder / "k.cu").write_text('#include "inner/k.h"\n' + SKETCH)
            (self.folder / folder / "inner" / "k.h").write_text("int k;\n")
        keys = {next(sw.Space([(self.folder / each / "k.cu", turn_by(1))]).tasks()).key for each in ("a", "b")}
        self.assertEqual(len(keys), 1)


class Bundles(ScratchTest):
    def test_files_are_written_elsewhere_as_they_lie(self):
        (self.folder / "from" / "specs").mkdir(parents=True)
        sketch, spec = self.folder / "from" / "k.cu", self.folder / "from" / "specs" / "k.cpp"
        sketch.write_text('#include <vector>\n  #  include "specs/k.h"\n#include "absent.h"\n')
        spec.write_text('#include "k.h"\n')
        (self.folder / "from" / "specs" / "k.h").write_text('#include "k.h"\nint k;\n')
        bundle = Bundle.of([sketch, spec, "a text\n"])
        self.assertEqual(sorted(bundle.files), ["k.cu", "specs/k.cpp", "specs/k.h"])
        target = self.folder / "to"
        bundle.unpack(str(target))
        self.assertEqual(digest(with_includes(target / "k.cu")), digest(with_includes(sketch)))
        self.assertEqual(bundle.moved(spec, str(target)), str(target / "specs" / "k.cpp"))
        self.assertEqual(bundle.moved("a text\n", str(target)), "a text\n")

    def test_what_is_missing_stays_where_it_is_said_to_be(self):
        bundle = Bundle.of([self.folder / "absent.cu", "void f() {}"])
        self.assertEqual(bundle.files, {})
        self.assertEqual(bundle.moved(self.folder / "absent.cu", "/to"), self.folder / "absent.cu")


class Files(ScratchTest):
    def read(self, text):
        path = self.folder / "all.toml"
        path.write_text(text)
        return read_sweep(path)

    def test_paths_axes_and_limits(self):
        (self.folder / "sketches").mkdir()
        for name in ("b", "a"):
            (self.folder / "sketches" / f"{name}.cu").write_text(SKETCH)
        said = self.read("""
            table = "kept.sqlite"
            time_limit = 2.5
            memory_limit = "1 GiB"
            machines = ["toy8"]
            [options]
            first = true
            [sizes]
            n = { from = 32, to = 96, step = 32 }
            m = { from = 1, to = 5, times = 2 }
            [[pairs]]
            sketch = "sketches/*.cu"
            spec = "specs/{name}.cpp"
            [[pairs]]
            sketch = "other.cu"
            spec = "other.cpp"
            name = "the other"
            sizes = [{ n = 7 }, { n = 8, m = 9 }]
            defines = { WIDE = [0, 1], TILE = 32 }
            """)
        self.assertEqual(said.table, str(self.folder / "kept.sqlite"))
        self.assertEqual(said.arguments, {"time_limit": 2.5, "memory_limit": "1 GiB"})
        tasks = list(said.space.tasks())
        self.assertEqual([task.name for task in tasks], ["a"] * 9 + ["b"] * 9 + ["the other"] * 4)
        self.assertEqual([tuple(task.sizes.values()) for task in tasks[:9]],
                         [(n, m) for n in (32, 64, 96) for m in (1, 2, 4)])
        self.assertEqual(tasks[9].spec, str(self.folder / "specs" / "b.cpp"))
        self.assertEqual([(task.sizes, task.defines) for task in tasks[-3:]],
                         [({"n": 7}, {"WIDE": 1, "TILE": 32}), ({"n": 8, "m": 9}, {"WIDE": 0, "TILE": 32}),
                          ({"n": 8, "m": 9}, {"WIDE": 1, "TILE": 32})])
        self.assertEqual({(task.machine, task.options["first"]) for task in tasks}, {("toy8", True)})

    def test_the_table_has_the_name_of_the_file_unless_it_is_said(self):
        self.assertEqual(self.read('[[pairs]]\nsketch = "a.cu"\nspec = "a.cpp"\n').table,
                         str(self.folder / "all.sqlite"))

    def test_what_is_wrong_is_said(self):
        pair = '[[pairs]]\nsketch = "a.cu"\nspec = "a.cpp"\n'
        for text, message in (("", "no \\[\\[pairs\\]\\]"),
                              ("tabel = 1\n" + pair, "'tabel' is not known; there are table,"),
                              (pair + "size = 3\n", "'size' in pairs is not known"),
                              ('[[pairs]]\nsketch = "a.cu"\n', "needs sketch and spec"),
                              ('[[pairs]]\nsketch = "none*.cu"\nspec = "a.cpp"\n', "no file is named none\\*.cu"),
                              ("sizes = { n = { from = 1, to = 9, step = 0 } }\n" + pair, "must grow"),
                              ("sizes = { n = { from = 1, till = 9 } }\n" + pair, "'till' in range is not known"),
                              ("x = \n", "Invalid value|invalid")):
            with self.subTest(text), self.assertRaisesRegex(ValueError, "all.toml: .*(" + message + ")"):
                self.read(text)


if __name__ == "__main__":
    main()
