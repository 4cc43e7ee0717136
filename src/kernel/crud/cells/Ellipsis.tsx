/** Renders one line of text, with a tooltip only when the text is cut off. */
export function Ellipsis({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tooltip only repeats text that assistive technology reads in full
    <span className="cell" onMouseEnter={({ currentTarget: cell }) => (cell.title = cell.scrollWidth > cell.clientWidth ? text : '')}>
      {text}
    </span>
  );
}
