package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GyreExceptionTest {

  @Test
  void theMessageSaysWhatIsDone() {
    GyreException failure = new GyreException("no memory");
    failure.attach(7L, "%d of %d are done", 7, 9);
    assertThat(failure).hasMessage("no memory; 7 of 9 are done");
    assertThat(failure.soFar(Long.class)).contains(7L);
  }

  /** If the heap is exhausted, the exception still has its message and the result. */
  @Test
  void aDescriptionThatCannotBeMadeIsLeftOut() {
    GyreException failure = new GyreException("no memory");
    failure.attach(6L, "%d are done", 6);
    Object exhausting =
        new Object() {
          @Override
          public String toString() {
            throw new OutOfMemoryError("no heap");
          }
        };
    failure.attach(7L, "%s are done", exhausting);
    assertThat(failure).hasMessage("no memory");
    assertThat(failure.soFar(Long.class)).contains(7L);
  }
}
