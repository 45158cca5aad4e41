/* The bits of x under m, packed to the low end. */
static inline uint64_t pext64(uint64_t x, uint64_t m)
{
#ifdef __BMI2__
    return _pext_u64(x, m);
#else
    uint64_t out = 0;
    for (int place = 0; m != 0; place++, m &= m - 1)
        out |= (x >> __builtin_ctzll(m) & 1) << place;
    return out;
#endif
}

/* The low bits of x, spread over the places of m. */
static inline uint64_t pdep64(uint64_t x, uint64_t m)
{
#ifdef __BMI2__
    return _pdep_u64(x, m);
#else
    uint64_t out = 0;
    for (int place = 0; m != 0; place++, m &= m - 1)
        out |= (x >> place & 1) << __builtin_ctzll(m);
    return out;
#endif
}

/* Bit j of the result is bit control[j] of x. */
static inline uint64_t shuffle64(uint64_t x, const uint8_t control[64])
{
#ifdef __AVX512BITALG__
    return _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64((long long)x), _mm512_loadu_si512(control));
#else
    uint64_t out = 0;
    for (int j = 0; j < 64; j++)
        out |= (x >> (control[j] & 63) & 1) << j;
    return out;
#endif
}
