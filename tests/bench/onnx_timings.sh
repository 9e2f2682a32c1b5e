#!/bin/bash
# usage: onnx_timings.sh PARTITA_CLI LIGHT_RESNET50.onnx
# How long models take to open, from the start of the program to its end: a ResNet-50 whose 102 MB of weights stand in
# the file (exported from ONNX's light model, which computes them), and 100,000 nodes. Promised: 300 ms and 2 s.
set -eu
cli=$1 light=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$cli" export "$light" -o "$folder/resnet50.onnx"
"$cli" export random:100000 -o "$folder/random.onnx"
TIMEFORMAT='%R s'
for model in resnet50 random; do
    for turn in 1 2 3 4 5; do
        printf '%s (%s bytes): ' "$model" "$(stat -c %s "$folder/$model.onnx")"
        time "$cli" info "$folder/$model.onnx" >"$folder/info.txt"
    done
done
