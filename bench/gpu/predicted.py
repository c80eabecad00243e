#!/usr/bin/env python3
"""Reads the report of `swizzle-synth check --json -` and prints the shared-memory wavefronts of its loads and of its stores."""

import json
import sys

accesses = [a for a in json.load(sys.stdin)["accesses"] if a["space"] == "shared"]
if any(a["conditional"] or a["depends_on_data"] for a in accesses):
    sys.exit("some accesses depend on data")
loads = sum(a["wavefronts"]["total"] for a in accesses if a["operation"] in ("load", "ldmatrix"))
print(loads, sum(a["wavefronts"]["total"] for a in accesses) - loads)
