package dev.gyre.kernels.tornadovm;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.KernelTree.Leaf;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.tornadovm.graal.TreePlugin;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Generates the class of a {@link Task}.
 *
 * <p>For a kernel with a handle and an int, it is equivalent to this Java code:
 *
 * <pre>{@code
 * static void gyre_Fill(KernelContext context, LongArray parameters, LongArray a0) {
 *   Kernel kernel = kernel(a0, (int) Parameters.number(parameters, 0));
 *   LaunchShape shape = shape(Parameters.blocks(parameters), Parameters.blockSize(parameters));
 *   kernel.run(context.globalIdx, shape);
 *   Parameters.end(context, parameters);
 * }
 *
 * static native Kernel kernel(LongArray a0, int n0);
 *
 * static native LaunchShape shape(int blocks, int blockSize);
 * }</pre>
 *
 * <p>{@link TreePlugin} defines the native methods. So neither this class nor its loader needs
 * access to the kernel's classes, which may be private or come from elsewhere.
 */
final class TaskClass {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private static final ClassDesc CONTEXT = desc(KernelContext.class);
  private static final ClassDesc ARRAY = desc(LongArray.class);
  private static final ClassDesc PARAMETERS = desc(Parameters.class);
  private static final int CONTEXT_SLOT = 0;
  private static final int PARAMETERS_SLOT = 1;
  private static final int FIRST_ARRAY_SLOT = 2;

  private final ClassDesc self;
  private final List<Leaf> leaves;
  private final boolean ends;

  private TaskClass(ClassDesc self, List<Leaf> leaves, boolean ends) {
    this.self = self;
    this.leaves = leaves;
    this.ends = ends;
  }

  /** Loader of one class, which sees what this class sees and is unloaded with its class. */
  private static final class Loader extends ClassLoader {
    Loader() {
      super(TaskClass.class.getClassLoader());
    }

    Class<?> define(String name, byte[] bytes) {
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  /**
   * Defines the class of a task; returns its method.
   *
   * @param ends whether each block counts itself at its end
   */
  static Method define(Branch tree, boolean ends) {
    String name = TaskClass.class.getPackageName() + ".Task" + NUMBERS.incrementAndGet();
    // Without the enclosing class, which reflection may not find with another loader.
    String kernel = tree.type().getName().replaceAll("^.*[.$]", "");
    String task = "gyre_" + kernel.replaceAll("[^A-Za-z0-9_]", "_");
    byte[] bytes = new TaskClass(ClassDesc.of(name), tree.leaves(), ends).bytes(task);
    Class<?> type = new Loader().define(name, bytes);
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> m.getName().equals(task))
        .findFirst()
        .orElseThrow();
  }

  private byte[] bytes(String task) {
    List<ClassDesc> parameters = new ArrayList<>(List.of(CONTEXT, ARRAY));
    leaves.stream().filter(l -> !l.isNumber()).forEach(_ -> parameters.add(ARRAY));
    MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_void, parameters);
    int isStatic = ClassFile.ACC_STATIC;
    return ClassFile.of()
        .build(
            self,
            c ->
                c.withMethodBody(task, type, isStatic, this::writeTask)
                    .withMethod(
                        TreePlugin.KERNEL, kernelType(), isStatic | ClassFile.ACC_NATIVE, _ -> {})
                    .withMethod(
                        TreePlugin.SHAPE, shapeType(), isStatic | ClassFile.ACC_NATIVE, _ -> {}));
  }

  /** Sets variable names: backends name the kernel's parameters after them. */
  private void nameParameters(CodeBuilder code, Label end) {
    code.localVariable(CONTEXT_SLOT, "context", CONTEXT, code.startLabel(), end);
    code.localVariable(PARAMETERS_SLOT, "parameters", ARRAY, code.startLabel(), end);
    long handles = leaves.stream().filter(l -> !l.isNumber()).count();
    for (int i = 0; i < handles; i++) {
      code.localVariable(FIRST_ARRAY_SLOT + i, "a" + i, ARRAY, code.startLabel(), end);
    }
  }

  private void writeTask(CodeBuilder code) {
    nameParameters(code, code.endLabel());
    int array = FIRST_ARRAY_SLOT;
    int number = 0;
    for (Leaf leaf : leaves) {
      if (leaf.isNumber()) {
        code.aload(PARAMETERS_SLOT)
            .loadConstant(number++)
            .invokestatic(
                PARAMETERS,
                "number",
                MethodTypeDesc.of(ConstantDescs.CD_long, ARRAY, ConstantDescs.CD_int));
        convert(code, leaf.type());
      } else {
        code.aload(array++);
      }
    }
    MethodTypeDesc ofParameters = MethodTypeDesc.of(ConstantDescs.CD_int, ARRAY);
    code.invokestatic(self, TreePlugin.KERNEL, kernelType())
        .aload(CONTEXT_SLOT)
        .getfield(CONTEXT, "globalIdx", ConstantDescs.CD_Integer)
        .invokevirtual(
            ConstantDescs.CD_Integer, "intValue", MethodTypeDesc.of(ConstantDescs.CD_int))
        .aload(PARAMETERS_SLOT)
        .invokestatic(PARAMETERS, "blocks", ofParameters)
        .aload(PARAMETERS_SLOT)
        .invokestatic(PARAMETERS, "blockSize", ofParameters)
        .invokestatic(self, TreePlugin.SHAPE, shapeType())
        .invokeinterface(
            desc(Kernel.class),
            "run",
            MethodTypeDesc.of(
                ConstantDescs.CD_void, ConstantDescs.CD_int, desc(LaunchShape.class)));
    if (ends) {
      code.aload(CONTEXT_SLOT)
          .aload(PARAMETERS_SLOT)
          .invokestatic(
              PARAMETERS, "end", MethodTypeDesc.of(ConstantDescs.CD_void, CONTEXT, ARRAY));
    }
    code.return_();
  }

  /** Converts a long parameter to a number. */
  private static void convert(CodeBuilder code, Class<?> type) {
    switch (type.getName()) {
      case "long" -> {}
      case "int" -> code.l2i();
      case "byte" -> code.l2i().i2b();
      case "boolean" -> code.l2i().iconst_1().iand();
      case "float" ->
          code.l2i()
              .invokestatic(
                  ConstantDescs.CD_Float,
                  "intBitsToFloat",
                  MethodTypeDesc.of(ConstantDescs.CD_float, ConstantDescs.CD_int));
      case "double" ->
          code.invokestatic(
              ConstantDescs.CD_Double,
              "longBitsToDouble",
              MethodTypeDesc.of(ConstantDescs.CD_double, ConstantDescs.CD_long));
      default -> throw new IllegalArgumentException("no number of a kernel: " + type);
    }
  }

  private MethodTypeDesc kernelType() {
    return MethodTypeDesc.of(
        desc(Kernel.class),
        leaves.stream().map(l -> l.isNumber() ? desc(l.type()) : ARRAY).toList());
  }

  private static MethodTypeDesc shapeType() {
    return MethodTypeDesc.of(desc(LaunchShape.class), ConstantDescs.CD_int, ConstantDescs.CD_int);
  }

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }
}
