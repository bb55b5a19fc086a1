package dev.gyre.structures.group;

/** Rows whose keys are longs. The header is the key. */
final class LongRows extends KeyRows {

  LongRows(Blocks blocks, Seed seed, int stateWords) {
    super(blocks, seed, Long.BYTES, stateWords);
  }

  @Override
  long rowText(long row) {
    return 0;
  }

  @Override
  void add(KeyBlock keys) {
    for (int i = 0; i < keys.count; i++) {
      set(newRow(), keys.numbers[i]);
    }
  }

  @Override
  void copyText(KeyRows from, long at) {}

  @Override
  long hash(long row) {
    return seed.hash(word(at(row)));
  }

  @Override
  boolean equal(long row, KeyRows others, long other) {
    return difference(row, others, other) == 0;
  }

  @Override
  long difference(long row, KeyRows others, long other) {
    return word(at(row)) ^ others.word(others.at(other));
  }

  @Override
  void readKeys(long from, KeyBlock block) {
    block.areTexts = false;
    for (int i = 0; i < block.count; i++) {
      block.numbers[i] = word(at(from + i));
    }
  }

  @Override
  void requireValid(long at) {}
}
