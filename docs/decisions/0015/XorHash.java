public record XorHash() implements dev.gyre.kernels.map.Hash { public long hash(long key, long seed) { key^=seed; long h=(key^(key>>>31))*0x9E3779B97F4A7C15L; return h^(h>>>32); } }
