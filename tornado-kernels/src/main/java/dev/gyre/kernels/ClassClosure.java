package dev.gyre.kernels;

import dev.gyre.atomics.Handle;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.KernelTree.Node;
import dev.gyre.kernels.SpecializedCode.CannotCopyException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes that a kernel's {@code run} reaches, by following its calls.
 *
 * <p>These are the classes of its tree, their superclasses, and the classes that the called methods
 * use. All are copied together, with the classes in which they are nested, so that access within a
 * package or nest stays legal. Classes of the JDK and of {@code dev.gyre.atomics}, {@link Kernel},
 * {@link LaunchShape} and exceptions are not copied. Static state cannot be copied: a kernel that
 * uses any, except constants, is refused.
 */
final class ClassClosure {

  private static final Set<Class<?>> SHARED = Set.of(Kernel.class, LaunchShape.class);

  private record Call(Class<?> holder, String name, String descriptor) {}

  /** Static field of a copied class. */
  record Constant(Class<?> holder, String name) {}

  private final Class<?> type;
  private final Branch tree;
  private final Map<Class<?>, ClassModel> copied = new LinkedHashMap<>();
  private final Map<Class<?>, byte[]> bytes = new HashMap<>();

  /** All classes that a copied class names, as its loader finds them. */
  private final Map<String, Class<?>> named = new HashMap<>();

  private boolean readsStatics;

  /** Static fields without state that are read, and may be set by code. */
  private final Set<Constant> constants = new HashSet<>();

  private final Set<Call> seen = new HashSet<>();
  private final Deque<Call> open = new ArrayDeque<>();

  private ClassClosure(Class<?> type, Branch tree) {
    this.type = type;
    this.tree = tree;
  }

  /** Returns the classes that a record reaches when it is called by an interface. */
  static ClassClosure of(Class<?> type, Branch tree) throws CannotCopyException {
    ClassClosure reached = new ClassClosure(type, tree);
    reached.addTree(tree);
    reached.callAll(type, tree.type());
    reached.follow();
    reached.addHosts();
    return reached;
  }

  /**
   * Adds the hosts of nested classes, which decide about access to private parts; none of their
   * code runs unless it was reached.
   */
  private void addHosts() throws CannotCopyException {
    for (Class<?> nested : copied.keySet()) {
      Class<?> host = nested.getNestHost();
      if (isCopied(host) && named.putIfAbsent(host.getName(), host) == null) {
        var _ = parse(host);
      }
    }
  }

  /** Returns the class of the record. */
  Class<?> root() {
    return tree.type();
  }

  /** Returns the classes to copy. */
  Set<Class<?>> copied() {
    return copied.keySet();
  }

  /**
   * Returns the class that a name denotes in the copied classes, or null if none of them has it.
   */
  @Nullable Class<?> original(String name) {
    return named.get(name);
  }

  /** Returns the named modules of all classes that a copied class names. */
  Set<Module> modules() {
    return named.values().stream()
        .map(Class::getModule)
        .filter(Module::isNamed)
        .collect(Collectors.toSet());
  }

  /** Returns whether a static field is read, other than by initialisers. */
  boolean readsStatics() {
    return readsStatics;
  }

  /** Returns the static fields that each copy initialises, and whose values must be the same. */
  Set<Constant> constants() {
    return constants;
  }

  /** Returns the bytes of a copy, or null for a class that is not copied. */
  byte @Nullable [] bytes(Class<?> original) {
    return bytes.get(original);
  }

  private void addTree(Branch branch) throws CannotCopyException {
    add(branch.type());
    call(new Call(branch.type(), "<init>", canonical(branch.type())));
    for (Node component : branch.components()) {
      if (component instanceof Branch inner) {
        addTree(inner);
      }
    }
  }

  /** Returns the descriptor of the canonical constructor. */
  private static String canonical(Class<?> type) {
    return MethodType.methodType(
            void.class,
            Arrays.stream(type.getRecordComponents()).map(RecordComponent::getType).toList())
        .descriptorString();
  }

  private void add(Class<?> type) throws CannotCopyException {
    Class<?> before = named.putIfAbsent(type.getName(), type);
    if (before != null && !before.equals(type)) {
      throw new CannotCopyException("there are two classes " + type.getName(), null);
    }
    if (before == null && isCopied(type)) {
      ClassModel model = parse(type);
      copied.put(type, model);
      // A call by an interface may reach the method of any class of the tree.
      for (Call call : List.copyOf(seen)) {
        if (call.holder().isAssignableFrom(type)) {
          call(new Call(type, call.name(), call.descriptor()));
        }
      }
      call(new Call(type, "<clinit>", "()V"));
      for (Class<?> parent : parents(type)) {
        add(parent);
      }
    }
  }

  private static List<Class<?>> parents(Class<?> type) {
    List<Class<?>> parents = new ArrayList<>(List.of(type.getInterfaces()));
    if (type.getSuperclass() != null) {
      parents.add(type.getSuperclass());
    }
    return parents;
  }

  private boolean isCopied(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    boolean isPublicException =
        Throwable.class.isAssignableFrom(type) && Modifier.isPublic(type.getModifiers());
    return loader != null
        && !loader.equals(ClassLoader.getPlatformClassLoader())
        && !type.getPackageName().equals(Handle.class.getPackageName())
        && !SHARED.contains(type)
        && !isOfInterface(type)
        && !isPublicException;
  }

  /**
   * Returns whether a class is the interface of a record, or a type that its methods take or
   * return.
   */
  private boolean isOfInterface(Class<?> type) {
    return type.equals(this.type)
        || Arrays.stream(this.type.getMethods())
            .anyMatch(
                m ->
                    m.getReturnType().equals(type)
                        || Arrays.asList(m.getParameterTypes()).contains(type));
  }

  private ClassModel parse(Class<?> type) throws CannotCopyException {
    String file = type.getName().replace('.', '/') + ".class";
    ClassLoader loader = type.getClassLoader();
    try (InputStream in = loader == null ? null : loader.getResourceAsStream(file)) {
      if (in == null) {
        throw new CannotCopyException("the bytes of " + type.getName() + " cannot be read", null);
      }
      byte[] read = in.readAllBytes();
      bytes.put(type, read);
      return ClassFile.of().parse(read);
    } catch (IOException | IllegalArgumentException e) {
      throw new CannotCopyException("the bytes of " + type.getName() + " cannot be read", e);
    }
  }

  private void call(Call call) {
    if (seen.add(call)) {
      open.add(call);
    }
  }

  /** Marks the methods of a class that an interface declares as called. */
  private void callAll(Class<?> by, Class<?> holder) {
    for (Method m : by.getMethods()) {
      if (Modifier.isAbstract(m.getModifiers())) {
        String descriptor =
            MethodType.methodType(m.getReturnType(), m.getParameterTypes()).descriptorString();
        call(new Call(holder, m.getName(), descriptor));
      }
    }
  }

  private void follow() throws CannotCopyException {
    for (Call call = open.poll(); call != null; call = open.poll()) {
      reach(call);
    }
  }

  private void reach(Call call) throws CannotCopyException {
    add(call.holder());
    for (Class<?> type : copied.keySet()) {
      if (!type.equals(call.holder()) && call.holder().isAssignableFrom(type)) {
        call(new Call(type, call.name(), call.descriptor()));
      }
    }
    ClassModel model = copied.get(call.holder());
    if (model == null) {
      return;
    }
    for (MethodModel method : model.methods()) {
      if (method.methodName().equalsString(call.name())
          && method.methodType().equalsString(call.descriptor())) {
        read(call.holder(), method);
        return;
      }
    }
    for (Class<?> parent : parents(call.holder())) {
      call(new Call(parent, call.name(), call.descriptor()));
    }
  }

  private void read(Class<?> holder, MethodModel method) throws CannotCopyException {
    if (method.flags().has(AccessFlag.NATIVE)) {
      throw new CannotCopyException(
          "%s.%s is native".formatted(holder.getName(), method.methodName().stringValue()), null);
    }
    if (method.code().isPresent()) {
      for (CodeElement element : method.code().get()) {
        read(holder, method, element);
      }
    }
  }

  private void read(Class<?> holder, MethodModel method, CodeElement element)
      throws CannotCopyException {
    switch (element) {
      case InvokeInstruction i ->
          call(holder, i.owner().asSymbol(), i.name().stringValue(), i.type().stringValue());
      case FieldInstruction f -> readField(holder, method, f);
      case NewObjectInstruction n -> addObject(holder, n.className().asSymbol());
      case TypeCheckInstruction t -> add(holder, t.type().asSymbol());
      case ConstantInstruction c when c.constantValue() instanceof ClassDesc type ->
          add(holder, type);
      case InvokeDynamicInstruction d -> {
        for (Object argument : d.bootstrapArgs()) {
          if (argument instanceof DirectMethodHandleDesc handle) {
            call(holder, handle.owner(), handle.methodName(), handle.lookupDescriptor());
          } else if (argument instanceof ClassDesc type) {
            add(holder, type);
          }
        }
      }
      default -> {}
    }
  }

  private void call(Class<?> from, ClassDesc owner, String name, String descriptor)
      throws CannotCopyException {
    Class<?> holder = resolve(from, owner);
    if (holder != null) {
      call(new Call(holder, name, descriptor));
    }
  }

  private void add(Class<?> from, ClassDesc name) throws CannotCopyException {
    Class<?> type = resolve(from, name);
    if (type != null) {
      add(type);
    }
  }

  /**
   * Marks all methods of an object's class as reached: any code that gets the object may call them.
   */
  private void addObject(Class<?> from, ClassDesc name) throws CannotCopyException {
    Class<?> type = resolve(from, name);
    if (type != null) {
      add(type);
      ClassModel model = copied.get(type);
      if (Kernel.class.isAssignableFrom(type)) {
        callAll(Kernel.class, type);
      }
      if (model != null && !type.isRecord()) {
        for (MethodModel m : model.methods()) {
          call(new Call(type, m.methodName().stringValue(), m.methodType().stringValue()));
        }
      }
    }
  }

  private void readField(Class<?> from, MethodModel method, FieldInstruction access)
      throws CannotCopyException {
    Class<?> holder = resolve(from, access.owner().asSymbol());
    if (holder == null) {
      return;
    }
    add(holder);
    ClassModel model = copied.get(holder);
    boolean isStatic = access.opcode() == Opcode.GETSTATIC || access.opcode() == Opcode.PUTSTATIC;
    boolean initializes = from.equals(holder) && method.methodName().equalsString("<clinit>");
    readsStatics |= isStatic && !initializes;
    if (model == null || !isStatic || initializes) {
      return;
    }
    boolean _ = constants.add(new Constant(holder, access.name().stringValue()));
    if (!isConstant(model, access)) {
      throw new CannotCopyException(
          from,
          holder.isEnum()
              ? ("it reaches the enum %s, which devices do not support; use numbers, such "
                      + "as a component that is ordinal()")
                  .formatted(holder.getName())
              : "it reaches %s.%s, which is static and may change; make it a final number, or a component"
                  .formatted(holder.getName(), access.name().stringValue()));
    }
  }

  /** Returns whether a static field is constant: final, and of a type without state. */
  private static boolean isConstant(ClassModel model, FieldInstruction access) {
    boolean isFinal =
        model.fields().stream()
            .filter(f -> f.fieldName().equals(access.name()))
            .anyMatch(f -> f.flags().has(AccessFlag.FINAL));
    ClassDesc type = access.typeSymbol();
    ClassDesc element = type.isArray() ? type.componentType() : type;
    return isFinal
        && (element.isPrimitive() || element.descriptorString().equals("Ljava/lang/String;"));
  }

  /** Returns the class that a name denotes in a class, or null for a primitive type. */
  private @Nullable Class<?> resolve(Class<?> from, ClassDesc name) throws CannotCopyException {
    ClassDesc element = name;
    while (element.isArray()) {
      element = element.componentType();
    }
    if (element.isPrimitive()) {
      return null;
    }
    String descriptor = element.descriptorString();
    String binary = descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
    try {
      return Class.forName(binary, false, from.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new CannotCopyException(from.getName() + " names " + binary + ", which is missing", e);
    }
  }
}
