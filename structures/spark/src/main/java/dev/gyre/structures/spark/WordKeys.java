package dev.gyre.structures.spark;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.trie.WordTrie;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Keys that are words, which tries count: in runs, their UTF-8 bytes. */
final class WordKeys extends KeyType<String, WordTrie> {
  @Serial private static final long serialVersionUID = 1L;

  private final Alphabet alphabet;

  WordKeys(Alphabet alphabet) {
    this.alphabet = alphabet;
  }

  @Override
  DataType dataType() {
    return DataTypes.StringType;
  }

  @Override
  String key(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  @Override
  byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  Filler filler(Fold fold, Launcher launcher, long memory, Runnable full) {
    return new WordFiller(alphabet, launcher, memory, full);
  }

  @Override
  WordTrie gather(RunReader run) {
    WordTrie trie = WordTrie.builder().alphabet(alphabet).build();
    try {
      while (run.next()) {
        trie.addWord(key(run.key(), run.length()), run.value());
      }
      return trie;
    } catch (RuntimeException | Error e) {
      trie.close();
      throw e;
    }
  }
}
