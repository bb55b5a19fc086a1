package dev.gyre.bench;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.TextChunks;
import dev.gyre.datasets.gutenberg.GutenbergCatalogue;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.Structures;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API as text, a type and its members per paragraph, in the order of their names: the
 * public types of {@link #PACKAGES}, less what is {@link Internal}, and each type of Gyre that a
 * signature of these names.
 */
final class PublicApi {

  /** Per module, the packages that users import from. */
  private static final Map<String, List<String>> PACKAGES = new LinkedHashMap<>();

  static {
    PACKAGES.put("atomics-shim", List.of("dev.gyre.atomics"));
    PACKAGES.put("datasets-gutenberg", List.of("dev.gyre.datasets.gutenberg"));
    PACKAGES.put("datasets", List.of("dev.gyre.datasets"));
    PACKAGES.put("tornado-kernels", List.of("dev.gyre.kernels", "dev.gyre.kernels.sync"));
    PACKAGES.put("progress", List.of("dev.gyre.progress"));
    PACKAGES.put(
        "structures",
        List.of(
            "dev.gyre.structures",
            "dev.gyre.structures.arrow",
            "dev.gyre.structures.group",
            "dev.gyre.structures.launch",
            "dev.gyre.structures.map",
            "dev.gyre.structures.map.sharded",
            "dev.gyre.structures.sync",
            "dev.gyre.structures.trie"));
  }

  /** Where the classes of each module are. */
  private static final Set<URI> PUBLISHED =
      Stream.of(
              Memory.class,
              TextChunks.class,
              GutenbergCatalogue.class,
              Kernel.class,
              ProgressClass.class,
              Structures.class)
          .map(PublicApi::place)
          .collect(Collectors.toUnmodifiableSet());

  /** For users' kernels, and named by no signature. */
  private static final List<Class<?>> NAMED_IN_DOCS = List.of(OpenItems.class);

  /** Supertypes that every class, record, enum or annotation has. */
  private static final Set<Class<?>> OF_ALL =
      Set.of(Object.class, Record.class, Enum.class, Annotation.class);

  private final Map<String, Class<?>> types = new TreeMap<>();
  private final Deque<Class<?>> waiting = new ArrayDeque<>();

  private PublicApi() {}

  /** The text of each module. */
  static Map<String, String> texts() {
    PublicApi api = new PublicApi();
    List<String> packages = PACKAGES.values().stream().flatMap(List::stream).toList();
    new ClassFileImporter()
        .importPackages(packages).stream()
            .filter(c -> packages.contains(c.getPackageName()))
            .map(JavaClass::reflect)
            .filter(PublicApi::isPublished)
            .forEach(api::add);
    NAMED_IN_DOCS.forEach(api::add);
    return api.write();
  }

  private void add(Class<?> type) {
    boolean seen = true;
    for (Class<?> c = type; c != null; c = c.getEnclosingClass()) {
      seen &= isSeen(c.getModifiers(), c);
    }
    if (seen && isOurs(type) && types.put(type.getName(), type) == null) {
      waiting.add(type);
    }
  }

  /** Test classes and those of others are on the class path, too. */
  private static boolean isPublished(Class<?> type) {
    return PUBLISHED.contains(place(type));
  }

  private static URI place(Class<?> type) {
    return URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString());
  }

  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith("dev.gyre.") && !type.isAnonymousClass();
  }

  private static boolean isSeen(int modifiers, AnnotatedElement element) {
    return (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers))
        && !element.isAnnotationPresent(Internal.class);
  }

  private Map<String, String> write() {
    Map<Class<?>, String> paragraphs = new LinkedHashMap<>();
    while (!waiting.isEmpty()) {
      Class<?> type = waiting.remove();
      paragraphs.put(type, paragraph(type));
    }
    Map<String, String> texts = new TreeMap<>();
    PACKAGES.keySet().forEach(module -> texts.put(module, ""));
    types.forEach((_, type) -> texts.merge(moduleOf(type), paragraphs.get(type), String::concat));
    return texts;
  }

  private static String moduleOf(Class<?> type) {
    return PACKAGES.entrySet().stream()
        .filter(e -> e.getValue().stream().anyMatch(p -> isIn(type.getPackageName(), p)))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(type + " is in a package of no module"));
  }

  private static boolean isIn(String name, String folder) {
    return name.equals(folder) || name.startsWith(folder + ".");
  }

  private String paragraph(Class<?> type) {
    Set<String> members = new TreeSet<>();
    for (Class<?> from : withUnseenSupertypes(type)) {
      Stream.of(from.getDeclaredFields())
          .filter(f -> isMember(type, f, f))
          .forEach(f -> members.add(field(f)));
      Stream.of(from.getDeclaredMethods())
          .filter(m -> isMember(type, m, m) && !isOfEveryEnum(m))
          .forEach(m -> members.add(executable(m)));
    }
    Stream.of(type.getDeclaredConstructors())
        .filter(c -> isMember(type, c, c))
        .forEach(c -> members.add(executable(c)));
    Stream.of(type.getDeclaredClasses()).forEach(this::add);
    return members.stream()
        .map(m -> "  " + m + "\n")
        .collect(Collectors.joining("", head(type), "\n"));
  }

  private static boolean isMember(Class<?> of, Member member, AnnotatedElement element) {
    boolean forSubclasses = Modifier.isProtected(member.getModifiers());
    return isSeen(member.getModifiers(), element)
        && !member.isSynthetic()
        && !(forSubclasses && (Modifier.isFinal(of.getModifiers()) || of.isSealed()));
  }

  private static boolean isOfEveryEnum(Method method) {
    return method.getDeclaringClass().isEnum()
        && (method.getName().equals("values") || method.getName().equals("valueOf"));
  }

  /** A type and what it inherits from that users cannot name. */
  private static List<Class<?>> withUnseenSupertypes(Class<?> type) {
    List<Class<?>> all = new ArrayList<>(List.of(type));
    Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
        .filter(PublicApi::isUnseen)
        .forEach(s -> all.addAll(withUnseenSupertypes(s)));
    return all;
  }

  private static boolean isUnseen(Class<?> type) {
    return isOurs(type) && !isSeen(type.getModifiers(), type);
  }

  private String head(Class<?> type) {
    Set<String> above = new LinkedHashSet<>();
    for (Class<?> from : withUnseenSupertypes(type)) {
      Stream.concat(
              Stream.ofNullable(from.getGenericSuperclass()),
              Stream.of(from.getGenericInterfaces()))
          .filter(s -> !OF_ALL.contains(raw(s)) && !isUnseen(raw(s)))
          .peek(this::name)
          .forEach(s -> above.add(s.getTypeName()));
    }
    List.of(type.getTypeParameters()).forEach(this::name);
    String supertypes = above.isEmpty() ? "" : " : " + String.join(", ", above);
    return plain(type.toGenericString() + supertypes) + "\n";
  }

  private static Class<?> raw(Type type) {
    return type instanceof ParameterizedType p ? raw(p.getRawType()) : (Class<?>) type;
  }

  private String field(Field field) {
    name(field.getGenericType());
    return plain(field.toGenericString())
        .replace(field.getDeclaringClass().getName() + "." + field.getName(), field.getName());
  }

  private String executable(Executable executable) {
    Stream.of(executable.getGenericParameterTypes()).forEach(this::name);
    Stream.of(executable.getGenericExceptionTypes()).forEach(this::name);
    Stream.of(executable.getTypeParameters()).forEach(this::name);
    if (executable instanceof Method method) {
      name(method.getGenericReturnType());
    }
    String declaring = executable.getDeclaringClass().getTypeName();
    String text = executable.toGenericString().replace(" synchronized ", " ");
    return plain(
        executable instanceof Constructor
            ? text.replace(declaring + "(", "new(")
            : text.replace(
                declaring + "." + executable.getName() + "(", executable.getName() + "("));
  }

  private static String plain(String text) {
    return text.replace("java.lang.", "");
  }

  /** Whatever types of Gyre a signature names are part of the API. */
  private void name(Type type) {
    switch (type) {
      case Class<?> c when c.isArray() -> name(c.getComponentType());
      case Class<?> c -> add(c);
      case GenericArrayType array -> name(array.getGenericComponentType());
      case ParameterizedType p -> {
        name(p.getRawType());
        Arrays.stream(p.getActualTypeArguments()).forEach(this::name);
      }
      case WildcardType w -> Arrays.stream(w.getUpperBounds()).forEach(this::name);
      case TypeVariable<?> v ->
          Arrays.stream(v.getBounds()).filter(b -> b instanceof Class<?>).forEach(this::name);
      default -> throw new IllegalStateException("no such type is known: " + type);
    }
  }
}
