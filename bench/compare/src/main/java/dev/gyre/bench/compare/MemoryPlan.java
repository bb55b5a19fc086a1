package dev.gyre.bench.compare;

import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.RivalMap.KeyType;
import dev.gyre.bench.memory.MemoryBenchmark;
import dev.gyre.bench.memory.MemoryBenchmark.Capacity;
import dev.gyre.bench.memory.MemoryBenchmark.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Memory for each entry, which a process tells once.
 *
 * @param n entries of a structure
 * @param text whose words are counted
 */
record MemoryPlan(int n, SourceText text) {

  private static final double FORK_SECONDS = 1.6;

  /** Returns a job for each kind of structure, type of its keys, and way to begin. */
  List<Job> jobs() {
    List<Job> jobs = new ArrayList<>();
    for (Capacity capacity : Capacity.values()) {
      for (KeyType type : KeyType.values()) {
        jobs.add(job(Kind.MAP, type, capacity));
        jobs.add(job(Kind.SET, type, capacity));
      }
      jobs.add(job(Kind.TEXTS, KeyType.LONG, capacity));
    }
    jobs.add(job(Kind.WORDS, KeyType.LONG, Capacity.GROWN));
    return jobs;
  }

  private Job job(Kind kind, KeyType type, Capacity capacity) {
    return job(kind, type, capacity, kind.rivals(type));
  }

  /** Returns the job that fills some rivals. */
  Job job(Kind kind, KeyType type, Capacity capacity, Collection<Rival> rivals) {
    String kindName = JvmPlan.lower(kind);
    String of = kind == Kind.MAP || kind == Kind.SET ? JvmPlan.lower(type) : kindName;
    List<String> jvm = new ArrayList<>(MemoryBenchmark.JVM_ARGUMENTS);
    jvm.add("-Dgyre.text=" + text.file());
    List<Job.Case> cases = new ArrayList<>();
    for (Rival rival : rivals.stream().sorted(Comparator.comparing(Rival::name)).toList()) {
      cases.add(
          new JmhCase(
              MemoryBenchmark.class.getName() + ".fill",
              Map.of(
                  "kind", kind.name(),
                  "type", type.name(),
                  "rival", rival.name(),
                  "n", "" + n,
                  "capacity", capacity.name()),
              0,
              jvm,
              "",
              Row.ofJvm(
                  "memory-" + kindName,
                  rival.label(),
                  n,
                  0,
                  1,
                  "type=%s capacity=%s".formatted(of, JvmPlan.lower(capacity)),
                  Row.MEMORY_UNIT)));
    }
    String what = "%s of %s, %s".formatted(kindName, of, JvmPlan.lower(capacity));
    String id = "memory-" + what.replaceAll("[ ,]+", "-");
    return new Job(id, "memory: " + what, cases, 1, 1, cases.size() * FORK_SECONDS);
  }
}
