package dev.gyre.bench.map;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gyre.bench.map.Rival.Use;
import dev.gyre.bench.map.RivalMap.KeyType;
import dev.gyre.bench.map.RivalMap.Setup;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All rivals do the same: only then is it fair to compare how fast they do it. */
class RivalMapsTest {

  private static final int N = 5_000;

  static Stream<Arguments> everyMap() {
    return Stream.of(KeyType.values())
        .flatMap(
            type ->
                type.rivals().stream()
                    .flatMap(
                        rival ->
                            Stream.of(1, 2)
                                .filter(threads -> threads == 1 || rival.is(Use.THREADS))
                                .map(threads -> Arguments.of(type, rival, threads))));
  }

  @ParameterizedTest
  @MethodSource("everyMap")
  void insertsFindsAndAdds(KeyType type, Rival rival, int threads) {
    for (KeyChoice choice : KeyChoice.values()) {
      for (int hits : new int[] {0, 50, 100}) {
        Setup setup = new Setup(N, 0.8, threads);
        if (type == KeyType.LONG) {
          use(RivalMap.ofLongs(rival, setup), MapData.ofLongs(choice, N, hits));
        } else {
          use(RivalMap.ofInts(rival, setup), MapData.ofInts(choice, N, hits));
        }
      }
    }
  }

  private static <A> void use(RivalMap<A> map, MapData<A> data) {
    try (map) {
      map.empty();
      data.checkInserted(map.insert(data.keys(), data.values()));
      data.checkFound(map.find(data.queries(), data.found()));
      map.renew();
      data.checkInserted(map.put(data.keys(), data.values()));
      data.checkFound(map.get(data.queries(), data.found()));
      data.checkSum(map.sum());
      map.empty();
      data.checkInserted(map.add(data.keys(), data.ones()));
      // Each of equal keys counts.
      long _ = map.find(data.keys(), data.found());
      List<Long> keys = numbers(data.keys());
      Map<Long, Long> counts = keys.stream().collect(groupingBy(key -> key, counting()));
      assertThat(numbers(data.found())).isEqualTo(keys.stream().map(counts::get).toList());
    }
  }

  private static List<Long> numbers(Object array) {
    return array instanceof int[] ints
        ? IntStream.of(ints).mapToObj(each -> (long) each).toList()
        : LongStream.of((long[]) array).boxed().toList();
  }

  /** The check that all benchmarks rely on sees a wrong count and a wrong value. */
  @Test
  void wrongResultsAreSeen() {
    MapData<long[]> data = MapData.ofLongs(KeyChoice.UNIQUE, N, 100);
    assertThatIllegalStateException().isThrownBy(() -> data.checkInserted(N - 1));
    try (RivalMap<long[]> map = RivalMap.ofLongs(Rival.FASTUTIL, new Setup(N, 0.5, 1))) {
      data.checkInserted(map.insert(data.keys(), data.values()));
      long count = map.find(data.queries(), data.found());
      data.checkFound(count);
      data.found()[N / 2]++;
      assertThatIllegalStateException().isThrownBy(() -> data.checkFound(count));
    }
  }

  @Test
  void mapsForOneThreadRefuseTwo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RivalMap.ofLongs(Rival.HPPC, new Setup(N, 0.5, 2)));
  }

  @Test
  void structuresForOtherKeysAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RivalMap.ofInts(Rival.JCTOOLS, new Setup(N, 0.5, 1)))
        .withMessageContaining("HPPC");
  }
}
