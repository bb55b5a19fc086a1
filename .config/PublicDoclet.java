import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import jdk.javadoc.doclet.DocletEnvironment;
import jdk.javadoc.doclet.Reporter;
import jdk.javadoc.doclet.StandardDoclet;
import jdk.javadoc.internal.tool.DocEnvImpl;

/**
 * Writes Javadoc as the standard doclet does, without what is marked {@code @Internal}, and fails
 * if a type does not say since when it is there. The JDK has no option for that, and its doclet
 * takes no environment but its own, or a class below it.
 */
public final class PublicDoclet extends StandardDoclet {

  private Reporter reporter;

  @Override
  public void init(Locale locale, Reporter given) {
    reporter = given;
    super.init(locale, given);
  }

  @Override
  public boolean run(DocletEnvironment all) {
    PublicElements environment = new PublicElements((DocEnvImpl) all);
    for (TypeElement type : ElementFilter.typesIn(environment.getIncludedElements())) {
      DocCommentTree comment = environment.getDocTrees().getDocCommentTree(type);
      if (type.getNestingKind() == NestingKind.TOP_LEVEL
          && (comment == null
              || comment.getBlockTags().stream()
                  .noneMatch(tag -> tag.getKind() == DocTree.Kind.SINCE))) {
        reporter.print(Diagnostic.Kind.ERROR, type, "no @since");
      }
    }
    return super.run(environment);
  }

  private static final class PublicElements extends DocEnvImpl {

    PublicElements(DocEnvImpl all) {
      super(all.toolEnv, all.etable);
    }

    @Override
    public Set<? extends Element> getIncludedElements() {
      return super.getIncludedElements().stream()
          .filter(PublicElements::isPublic)
          .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Override
    public boolean isIncluded(Element element) {
      return isPublic(element) && super.isIncluded(element);
    }

    @Override
    public boolean isSelected(Element element) {
      return isPublic(element) && super.isSelected(element);
    }

    private static boolean isPublic(Element element) {
      Element enclosing = element.getEnclosingElement();
      return (enclosing == null || isPublic(enclosing))
          && element.getAnnotationMirrors().stream()
              .noneMatch(
                  annotation ->
                      annotation
                          .getAnnotationType()
                          .toString()
                          .equals("dev.gyre.atomics.Internal"));
    }
  }
}
