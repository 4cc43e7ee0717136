/** Rspack loader for the module of Arco that still reads `children.ref`. In React 19 the ref is in `children.props`. */
export default function refAsProperty(source) {
  return source.replaceAll('children.ref', 'children.props.ref');
}
