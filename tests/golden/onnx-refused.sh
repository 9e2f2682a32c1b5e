#!/bin/sh
# usage: onnx-refused.sh PARTITA_CLI   prints what onnx-refused.txt should hold
cat <<'HEAD'
# ONNX backend tests that do not pass, with the reason. Made by tests/golden/onnx-refused.sh.
# Strings, optional values, training and random numbers are out of scope.
HEAD
for folder in node pytorch-converted pytorch-operator simple; do
    "$1" onnx-test "/usr/share/libonnx-testdata/data/$folder" |
        sed -n "s|^unsupported |$folder/|p; s|^failed |$folder/|p"
done
