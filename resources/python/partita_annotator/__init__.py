"""Runs annotator rules that are written in Python, in a process of its own, and says which line decided.

`host` speaks the protocol of resources/partita-annotator.schema.json on standard input and output. `views` shows the
module's expressions under the names that TVM 0.9 gives them, `names` lets files import them from `tvm`, `patterns`
writes dataflow patterns in the program's pattern language, `flow` reads `partition_for_X`, `trace` instruments a file's
syntax tree, and `loader` opens a file. Nothing here imports TVM.
"""
