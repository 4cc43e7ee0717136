import { useWords } from '../../i18n/use-words.ts';
import type { ScreenField } from '../entity-fields.ts';

/** One line; what does not fit is told by a title, and only then. */
export function Ellipsis({ text, unit }: { readonly text: string; readonly unit?: ScreenField }) {
  const say = useWords();
  const suffix = unit?.traits.unit ? ` ${say(unit.traits.unit)}` : '';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what the pointer is told, everybody else hears whole
    <span className="cell" onMouseEnter={({ currentTarget: cell }) => (cell.title = cell.scrollWidth > cell.clientWidth ? `${text}${suffix}` : '')}>
      {text}
      {suffix}
    </span>
  );
}
