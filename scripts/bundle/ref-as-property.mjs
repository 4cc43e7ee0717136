/** Loader for one module of Arco, which reads `children.ref`: since React 19 the ref of an element is one of its properties. */
export default function refAsProperty(source) {
  return source.replaceAll('children.ref', 'children.props.ref');
}
