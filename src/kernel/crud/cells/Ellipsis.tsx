import { useTranslation } from '../../platform/i18n/use-translation.ts';
import type { ScreenField } from '../model/entity-fields.ts';

/** Renders one line of text, with a tooltip only when the text is cut off. */
export function Ellipsis({ text, unit }: { readonly text: string; readonly unit?: ScreenField }) {
  const t = useTranslation();
  const suffix = unit?.traits.unit ? ` ${t(unit.traits.unit)}` : '';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the tooltip only repeats text that assistive technology reads in full
    <span className="cell" onMouseEnter={({ currentTarget: cell }) => (cell.title = cell.scrollWidth > cell.clientWidth ? `${text}${suffix}` : '')}>
      {text}
      {suffix}
    </span>
  );
}
