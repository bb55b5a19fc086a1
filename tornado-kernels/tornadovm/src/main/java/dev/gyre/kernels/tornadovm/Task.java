package dev.gyre.kernels.tornadovm;

import dev.gyre.kernels.KernelTree.Branch;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Method that TornadoVM compiles for a tree of records: it creates the kernel from arrays and
 * numbers, and runs it. There is one per tree, for all devices.
 *
 * @param tree records of the kernel
 * @param method static method; takes {@code KernelContext}, the {@link Parameters}, and a {@code
 *     LongArray} for each handle in the tree
 */
record Task(Branch tree, Method method) {

  private static final Map<Branch, Task> KEPT = new ConcurrentHashMap<>();
  private static final Map<String, Task> BY_CLASS = new ConcurrentHashMap<>();

  /** Returns the task of a tree. */
  static Task of(Branch tree) {
    return KEPT.computeIfAbsent(tree, t -> make(t, true));
  }

  /**
   * Creates a task for a tree.
   *
   * @param ends whether each block counts itself at its end; a test uses a task that does not
   */
  static Task make(Branch tree, boolean ends) {
    Task task = new Task(tree, TaskClass.define(tree, ends));
    BY_CLASS.put(task.method.getDeclaringClass().getName(), task);
    return task;
  }

  /** Returns the tree of the task with a class name, or null. */
  static @Nullable Branch treeOfClass(String name) {
    Task task = BY_CLASS.get(name);
    return task == null ? null : task.tree();
  }

  /**
   * Forgets a task that does not compile: TornadoVM caches what it knows of a method, and would
   * report less the next time.
   */
  void forget() {
    boolean _ = KEPT.remove(tree, this);
    boolean _ = BY_CLASS.remove(method.getDeclaringClass().getName(), this);
  }

  /** Returns the number of handles. */
  int handleCount() {
    return (int) tree.leaves().stream().filter(l -> !l.isNumber()).count();
  }
}
