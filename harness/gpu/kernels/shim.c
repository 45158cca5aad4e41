/* The kernels as C functions: what CUDA has of its own, and a loop over the threads. Several
   threads of the host may run ranges of one launch at once. */

typedef unsigned long long u64;

#define __device__
#define KERNEL static void
#define THREAD this_thread

static _Thread_local u64 this_thread;

static u64 atomicOr(u64 *at, u64 bits)
{
    return __atomic_fetch_or(at, bits, __ATOMIC_RELAXED);
}

static u64 atomicAdd(u64 *at, u64 more)
{
    return __atomic_fetch_add(at, more, __ATOMIC_RELAXED);
}

static u64 __umul64hi(u64 a, u64 b)
{
    return (u64)((unsigned __int128)a * b >> 64);
}

static int __ffsll(u64 word)
{
    return __builtin_ffsll((long long)word);
}

static inline int __popcll(u64 word)
{
    return __builtin_popcountll(word);
}

#include "levels.cu"

void run(u64 kernel, u64 begin, u64 end, const struct slab *slab)
{
    for (this_thread = begin; this_thread < end; this_thread++) {
        if (kernel == 0)
            expand(*slab);
        else if (kernel == 1)
            settle(*slab);
        else
            pick(*slab);
    }
}
