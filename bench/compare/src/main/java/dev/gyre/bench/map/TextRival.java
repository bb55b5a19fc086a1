package dev.gyre.bench.map;

import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.util.List;

/** The sets and maps of strings whose memory is compared. */
public enum TextRival {
  GYRE_TEXT_SET("gyre-text-set"),
  /** {@code HashSet<String>}. */
  HASH_SET("HashSet"),
  GYRE_TEXT_MAP("gyre-text-map"),
  /** {@code HashMap<String, Long>}. */
  HASH_MAP("HashMap");

  private final String label;

  TextRival(String label) {
    this.label = label;
  }

  /** The name in results. */
  public String label() {
    return label;
  }

  /** Makes an empty one for one thread, with room for some keys. */
  public RivalSet<List<String>> open(int capacity) {
    return switch (this) {
      case GYRE_TEXT_SET ->
          new RivalTexts.OfTextSet(TextSet.builder().capacity(capacity).workers(1).build());
      case HASH_SET -> new RivalTexts.OfSet(capacity);
      case GYRE_TEXT_MAP ->
          new RivalTexts.OfTextMap(TextLongMap.builder().capacity(capacity).workers(1).build());
      case HASH_MAP -> new RivalTexts.OfMap(capacity);
    };
  }
}
