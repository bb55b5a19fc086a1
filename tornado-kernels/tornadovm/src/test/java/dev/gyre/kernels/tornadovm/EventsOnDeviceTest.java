package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a recording of the JDK's Flight Recorder has of a device. */
@ExtendWith(DeviceUnderTest.class)
class EventsOnDeviceTest {

  private static final LaunchShape SHAPE = new LaunchShape(64, 64);

  record AddOne(ThreadInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.set(thread, words.get(thread) + 1);
    }
  }

  @Test
  void kernelsCompilationsAndCopiesAreRecorded(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("events.jfr");
    long bytes;
    try (TornadoLauncher device = DeviceUnderTest.open();
        Memory memory = Memory.ofInts(SHAPE.threads());
        Recording recording = new Recording()) {
      bytes = memory.byteSize();
      List.of("Kernel", "Compile", "Copy")
          .forEach(e -> recording.enable("dev.gyre." + e).withoutThreshold());
      recording.start();
      device.run(new AddOne(ThreadInts.of(memory)), SHAPE);
      device.run(new AddOne(ThreadInts.of(memory)), SHAPE);
      device.readBack(memory);
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    assertThat(events)
        .filteredOn(is("Kernel", "AddOne"))
        .hasSize(2)
        .allMatch(e -> e.getString("target").equals(DeviceUnderTest.target().label()))
        .allMatch(e -> e.getLong("threads") == SHAPE.threads());
    assertThat(events).filteredOn(is("Compile", "AddOne")).hasSize(1);
    assertThat(events).filteredOn(is("Copy", "to the device").and(of(bytes))).hasSize(1);
    assertThat(events)
        .filteredOn(is("Copy", "to the host").and(of(bytes)))
        .singleElement()
        .satisfies(e -> assertThat(e.getLong("bytesPerSecond")).isPositive());
  }

  private static Predicate<RecordedEvent> is(String event, String what) {
    return e ->
        e.getEventType().getName().equals("dev.gyre." + event) && e.getString("what").equals(what);
  }

  private static Predicate<RecordedEvent> of(long bytes) {
    return e -> e.getLong("bytes") == bytes;
  }
}
