package dev.gyre.bench.map;

import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sets and maps of strings; a key's value in a map is how many keys there were before. */
final class RivalTexts {

  private RivalTexts() {}

  record OfTextSet(TextSet set) implements RivalSet<List<String>> {

    @Override
    public long add(List<String> keys) {
      return set.addAll(keys).inserted();
    }

    @Override
    public long bytesOutside() {
      return set.byteSize();
    }

    @Override
    public void close() {
      set.close();
    }
  }

  record OfTextMap(TextLongMap map) implements RivalSet<List<String>> {

    @Override
    public long add(List<String> keys) {
      long[] values = new long[keys.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = map.size() + i;
      }
      return map.insert(keys, values).inserted();
    }

    @Override
    public long bytesOutside() {
      return map.byteSize();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  record OfSet(Set<String> set) implements RivalSet<List<String>> {
    OfSet(int capacity) {
      this(HashSet.newHashSet(capacity));
    }

    @Override
    public long add(List<String> keys) {
      long before = set.size();
      boolean _ = set.addAll(keys);
      return set.size() - before;
    }
  }

  record OfMap(Map<String, Long> map) implements RivalSet<List<String>> {
    OfMap(int capacity) {
      this(HashMap.newHashMap(capacity));
    }

    @Override
    public long add(List<String> keys) {
      long before = map.size();
      for (String key : keys) {
        Long _ = map.putIfAbsent(key, (long) map.size());
      }
      return map.size() - before;
    }
  }
}
