package dev.gyre.structures.fuzz;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Makes programs at random, runs them, and makes one that fails smaller. */
public final class Fuzzer {

  /** Runs of one program that fails, at most. */
  private static final int SHRINKINGS = 3_000;

  /** How long they take, at most and about. */
  private static final long SHRINKING_NANOS = 60_000_000_000L;

  /** Domains of keys: from few that meet often to all there are. */
  private static final List<Long> DOMAINS = List.of(3L, 40L, 2_000L, Long.MAX_VALUE);

  /** In which keys are left out, of a step that has more of them; of no more, each is made 0. */
  private static final int PARTS = 16;

  private static final int MOST_STEPS = 25;
  private static final int FEW_KEYS = 40;
  private static final int MANY_KEYS = 4_000;

  /** One in so many programs has steps of as many keys as its target takes. */
  private static final int LARGE = 5;

  /** Keys of large programs, of which some meet. */
  private static final long LARGE_DOMAIN = 1 << 17;

  /** After one in so many steps all is compared, and at the end. */
  private static final int COMPARED = 4;

  /** What it takes to wake workers, who else leave calls on few keys to one of them. */
  private static final String WAKING = "gyre.waking";

  /** A bit of seeds whose programs have such calls go to several. */
  private static final long ALL_AWAKE = 1 << 3;

  private final FuzzSetting setting;

  public Fuzzer(FuzzSetting setting) {
    this.setting = setting;
  }

  /** Sets a limit to memory where none is, before it counts: so that programs may use it up. */
  public static void limitMemory() {
    if (System.getProperty(ScarceMemory.LIMIT) == null) {
      System.setProperty(ScarceMemory.LIMIT, "512m");
    }
  }

  /** The program of a seed. */
  public static FuzzProgram program(FuzzTarget target, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean large = random.nextInt(LARGE) == 0;
    long domain =
        large && random.nextBoolean() ? LARGE_DOMAIN : DOMAINS.get(random.nextInt(DOMAINS.size()));
    List<FuzzStep> steps = new ArrayList<>();
    int count = random.nextInt(1, MOST_STEPS);
    for (int i = 0; i < count; i++) {
      String operation = target.operations().get(random.nextInt(target.operations().size()));
      int most = random.nextInt(10) == 0 ? MANY_KEYS : FEW_KEYS;
      int length = random.nextInt(large ? target.mostKeys() : most);
      long[] keys = random.longs(length).map(bits -> number(bits, domain)).toArray();
      long[] values = random.longs(length).map(bits -> number(bits, domain)).toArray();
      steps.add(new FuzzStep(operation, keys, values));
    }
    return new FuzzProgram(target.name(), seed, steps, COMPARED);
  }

  /** A number of a domain, or now and then an extreme. */
  private static long number(long bits, long domain) {
    return switch ((int) (bits & 63)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> Integer.MIN_VALUE;
      case 3 -> Integer.MAX_VALUE;
      case 4 -> -1;
      default -> domain == Long.MAX_VALUE ? bits : Math.floorMod(bits >> 6, domain);
    };
  }

  /** How a program fails; null if it does not. */
  public @Nullable Throwable failure(FuzzTarget target, FuzzProgram program) {
    String waking = (program.seed() & ALL_AWAKE) == 0 ? "300us" : "1us";
    String before = System.setProperty(WAKING, waking);
    try (FuzzTarget.Run run = target.start(program.seed(), setting)) {
      int done = 0;
      for (FuzzStep step : program.steps()) {
        run.step(step);
        done++;
        if (done % program.compared() == 0 || done == program.steps().size()) {
          run.compare();
        }
      }
      return null;
    } catch (AssertionError | RuntimeException | IOException e) {
      return e;
    } finally {
      var _ = before == null ? System.clearProperty(WAKING) : System.setProperty(WAKING, before);
    }
  }

  /**
   * Leaves out steps, then keys, then what is not 0, for as long as what is left still fails; all
   * is compared after each step, unless the failure needs that it is not.
   */
  public FuzzProgram shrink(FuzzTarget target, FuzzProgram failing) {
    FuzzProgram often = failing.comparedOften();
    FuzzProgram smallest = failure(target, often) == null ? failing : often;
    int tries = 0;
    long end = System.nanoTime() + SHRINKING_NANOS;
    boolean smaller = true;
    while (smaller && tries < SHRINKINGS && System.nanoTime() - end < 0) {
      smaller = false;
      for (List<FuzzStep> candidate : candidates(smallest.steps())) {
        tries++;
        if (failure(target, smallest.with(candidate)) != null) {
          smallest = smallest.with(candidate);
          smaller = true;
          break;
        }
      }
    }
    return smallest;
  }

  private static List<List<FuzzStep>> candidates(List<FuzzStep> steps) {
    List<List<FuzzStep>> candidates = new ArrayList<>();
    for (int length = steps.size() / 2; length > 0; length /= 2) {
      for (int from = 0; from + length <= steps.size(); from += length) {
        List<FuzzStep> without = new ArrayList<>(steps.subList(0, from));
        without.addAll(steps.subList(from + length, steps.size()));
        candidates.add(without);
      }
    }
    for (int i = 0; i < steps.size(); i++) {
      for (FuzzStep smaller : smaller(steps.get(i))) {
        List<FuzzStep> with = new ArrayList<>(steps);
        with.set(i, smaller);
        candidates.add(with);
      }
    }
    return candidates;
  }

  private static List<FuzzStep> smaller(FuzzStep step) {
    int length = step.keys().length;
    List<FuzzStep> smaller = new ArrayList<>();
    if (length > 1) {
      smaller.add(step.part(0, length / 2));
      smaller.add(step.part(length / 2, length));
    }
    int some = Math.max(1, length / PARTS);
    for (int from = 0; from < length; from += some) {
      smaller.add(step.without(from, Math.min(length, from + some)));
    }
    for (int i = 0; i < length && length <= PARTS; i++) {
      if (step.keys()[i] != 0) {
        smaller.add(step.plainer(i, true));
      }
      if (step.values()[i] != 0) {
        smaller.add(step.plainer(i, false));
      }
    }
    return smaller;
  }
}
