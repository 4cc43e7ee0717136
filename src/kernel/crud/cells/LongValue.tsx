import type { Widget } from '#shared/fields';
import type { ScreenField } from '../entity-fields.ts';
import { FormattedText } from './FormattedText.tsx';

const kinds: ReadonlySet<Widget> = new Set(['textarea', 'rich-text', 'code', 'cron']);

/** True for what takes more than a line and is shown as it was written. */
export const isLong = ({ traits }: ScreenField) => kinds.has(traits.widget);

/** A text of several lines, formatted text or text in a language. */
export function LongValue({ field, value }: { readonly field: ScreenField; readonly value: string }) {
  switch (field.traits.widget) {
    case 'rich-text':
      return <FormattedText html={value} />;
    case 'code':
      return <pre className="field-list__code">{value}</pre>;
    case 'cron':
      return <code>{value}</code>;
    default:
      return <span className="field-list__text">{value}</span>;
  }
}
