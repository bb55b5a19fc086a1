package dev.gyre.atomics.tornadovm.graal;

import dev.gyre.atomics.Fences;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedHandle;
import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.tornadovm.Arithmetic;
import dev.gyre.atomics.tornadovm.Handles;
import dev.gyre.atomics.tornadovm.Meetings;
import dev.gyre.atomics.tornadovm.PlainFunction;
import dev.gyre.atomics.tornadovm.Syntax;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.calc.LeftShiftNode;
import jdk.graal.compiler.nodes.graphbuilderconf.GraphBuilderContext;
import jdk.graal.compiler.nodes.graphbuilderconf.InvocationPlugin;
import jdk.graal.compiler.nodes.graphbuilderconf.InvocationPlugins;
import jdk.graal.compiler.nodes.memory.address.AddressNode;
import jdk.graal.compiler.nodes.memory.address.OffsetAddressNode;
import jdk.graal.compiler.replacements.ReplacementsImpl;
import jdk.vm.ci.meta.JavaKind;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.graal.backend.XPUBackend;

/**
 * Registers the calls of the shim with a device compiler: one plugin for each operation of {@link
 * OperationTable}, each fence, each {@link PlainFunction} and each way to create a handle.
 */
public final class ShimPlugins {

  private final InvocationPlugins plugins;
  private final Syntax syntax;
  private final Printer printer;
  private final Consumer<? super UnsupportedByDeviceException> refusals;

  public ShimPlugins(
      XPUBackend<?> backend,
      Syntax syntax,
      Printer printer,
      Consumer<? super UnsupportedByDeviceException> refusals) {
    this.plugins =
        ((ReplacementsImpl) backend.getProviders().getReplacements())
            .getGraphBuilderPlugins()
            .getInvocationPlugins();
    this.syntax = syntax;
    this.printer = printer;
    this.refusals = refusals;
  }

  public void register() {
    for (Operation o : OperationTable.operations()) {
      if (!o.kind().composite()) {
        Method method = methodOf(o);
        int shift =
            o.kind() == OperationKind.PAUSE || o.kind() == OperationKind.WAKE_ALL
                ? NO_ELEMENT
                : Integer.numberOfTrailingZeros(o.type().bytes());
        add(method, shift, () -> syntax.operation(o));
      }
    }
    for (Fence f : OperationTable.fences()) {
      add(method(Fences.class, f.method()), NO_ELEMENT, () -> syntax.fence(f));
    }
    for (PlainFunction f : PlainFunction.values()) {
      Class<?>[] parameters = f.parameters().toArray(new Class<?>[0]);
      add(
          method(f.holder(), f.method(), parameters),
          f.onElement() ? 0 : NO_ELEMENT,
          () -> syntax.function(f) + (f.differsByLane() ? " " + Meetings.LANE : ""));
    }
    for (ElementType type : List.of(ElementType.FLOAT, ElementType.DOUBLE)) {
      addMath("min", Arithmetic.MIN, type, 2);
      addMath("max", Arithmetic.MAX, type, 2);
      addMath("abs", Arithmetic.ABS, type, 1);
    }
    for (Method m : Handles.class.getDeclaredMethods()) {
      if (Modifier.isPublic(m.getModifiers())) {
        registration(m).register(new Bridge(m));
      }
    }
  }

  private static final int NO_ELEMENT = -1;

  /** Returns the method of a handle for an operation. */
  public static Method methodOf(Operation o) {
    try {
      Class<?> holder = Class.forName("dev.gyre.atomics." + o.handle());
      return Arrays.stream(holder.getDeclaredMethods())
          .filter(m -> m.getName().equals(o.method()))
          .findFirst()
          .orElseThrow(() -> new NoSuchMethodException(o.toString()));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the handles are not those of this table: " + o, e);
    }
  }

  private static Method method(Class<?> holder, String name, Class<?>... parameters) {
    try {
      return holder.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      throw new LinkageError("the shim has no " + holder.getSimpleName() + "." + name, e);
    }
  }

  private InvocationPlugins.Registration registration(Method method) {
    return new InvocationPlugins.Registration(plugins, method.getDeclaringClass());
  }

  private void add(Method method, int shift, Supplier<String> text) {
    registration(method).register(new Lowered(method, shift, text));
  }

  /** Replaces the backend's plugin, whose function treats NaN and zeros differently. */
  private void addMath(String name, Arithmetic what, ElementType type, int arguments) {
    Class<?> kind = type == ElementType.FLOAT ? float.class : double.class;
    Class<?>[] parameters = Collections.nCopies(arguments, kind).toArray(new Class<?>[0]);
    InvocationPlugins.Registration math = registration(method(Math.class, name, parameters));
    math.setAllowOverwrite(true);
    math.register(
        new Lowered(
            method(Math.class, name, parameters), NO_ELEMENT, () -> syntax.arithmetic(what, type)));
  }

  private static Type[] argumentTypes(Method method) {
    Stream<Type> receiver =
        Modifier.isStatic(method.getModifiers())
            ? Stream.of()
            : Stream.of(InvocationPlugin.Receiver.class);
    return Stream.concat(receiver, Arrays.stream(method.getParameterTypes())).toArray(Type[]::new);
  }

  /** Plugin that replaces a call by a {@link TextNode}. */
  private final class Lowered extends InvocationPlugin {
    private final JavaKind result;
    private final int shift;
    private final boolean isShared;
    private final Supplier<String> text;

    Lowered(Method method, int shift, Supplier<String> text) {
      super(method.getName(), argumentTypes(method));
      this.result = JavaKind.fromJavaClass(method.getReturnType());
      this.shift = shift;
      this.isShared = SharedHandle.class.isAssignableFrom(method.getDeclaringClass());
      this.text = text;
    }

    @Override
    public boolean defaultHandler(
        GraphBuilderContext b, ResolvedJavaMethod target, Receiver receiver, ValueNode... args) {
      String code;
      try {
        code = text.get();
      } catch (UnsupportedByDeviceException e) {
        refusals.accept(e);
        throw e;
      }
      List<ValueNode> operands = Arrays.asList(args);
      AddressNode address = null;
      ValueNode shared = null;
      if (!isStatic) {
        ValueNode array = receiver.get(true);
        if (shift != NO_ELEMENT && isShared) {
          shared = b.append(new SharedAddressNode(array, bytes(b, operands.getFirst(), shift)));
        } else if (shift != NO_ELEMENT) {
          address = address(b, array, operands.getFirst(), shift);
        }
        operands = operands.subList(1, operands.size());
      }
      emit(b, code, address, shared, operands);
      return true;
    }

    private void emit(
        GraphBuilderContext b,
        String code,
        @Nullable AddressNode address,
        @Nullable ValueNode shared,
        List<ValueNode> operands) {
      if (code.isEmpty()) {
        return;
      }
      ValueNode x = operands.isEmpty() ? null : operands.get(0);
      ValueNode y = operands.size() < 2 ? null : operands.get(1);
      TextNode node =
          new TextNode(
              StampFactory.forKind(result.getStackKind()), code, printer, address, shared, x, y);
      if (result == JavaKind.Void) {
        b.add(node);
      } else {
        b.addPush(result, node);
      }
    }
  }

  private static ValueNode bytes(GraphBuilderContext b, ValueNode index, int shift) {
    return shift == 0
        ? index
        : b.append(new LeftShiftNode(index, ConstantNode.forInt(shift, b.getGraph())));
  }

  private static AddressNode address(
      GraphBuilderContext b, ValueNode array, ValueNode index, int shift) {
    ValueNode offset =
        b.append(
            new AddNode(
                bytes(b, index, shift), ConstantNode.forLong(Memory.HEADER_BYTES, b.getGraph())));
    return b.append(new OffsetAddressNode(array, offset));
  }

  /**
   * Plugin that replaces a call by a handle, whose place the array takes after records are
   * dissolved.
   */
  private static final class Bridge extends InvocationPlugin {
    private final Class<?> handle;

    Bridge(Method method) {
      super(method.getName(), argumentTypes(method));
      this.handle = method.getReturnType();
    }

    @Override
    public boolean apply(
        GraphBuilderContext b, ResolvedJavaMethod target, Receiver receiver, ValueNode array) {
      b.addPush(JavaKind.Object, new HandleNode(b.getMetaAccess().lookupJavaType(handle), array));
      return true;
    }
  }
}
