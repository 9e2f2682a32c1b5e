/* Reads weights.bin: 8 bytes "PARTITAW", the number of bytes that follow the head, their hash (FNV-1a, 64 bits),
   both as the machine's own 64-bit numbers (little-endian as written), zeros up to byte 64; then the weights. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static uint64_t hash_bytes(const unsigned char *bytes, size_t count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

unsigned char *model_load_weights(const char *path)
{
    unsigned char head[64] = {0};
    uint64_t size = 0, hash = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    unsigned char *weights = aligned_alloc(64, MODEL_WEIGHT_BYTES + 64 - MODEL_WEIGHT_BYTES % 64);
    size_t got = 0;
    if (weights && fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, "PARTITAW", 8) == 0)
        got = fread(weights, 1, MODEL_WEIGHT_BYTES, file);
    memcpy(&size, head + 8, 8);
    memcpy(&hash, head + 16, 8);
    fclose(file);
    if (weights && got == MODEL_WEIGHT_BYTES && size == MODEL_WEIGHT_BYTES && hash == hash_bytes(weights, got))
        return weights;
    free(weights);
    return NULL;
}
