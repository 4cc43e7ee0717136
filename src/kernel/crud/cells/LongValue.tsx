import type { Widget } from '#shared/fields';
import type { ScreenField } from '../model/entity-fields.ts';
import { FormattedText } from './FormattedText.tsx';

const kinds: ReadonlySet<Widget> = new Set(['textarea', 'rich-text', 'code', 'cron']);

/** True for multi-line values, which are shown as they were entered. */
export const isLong = ({ traits }: ScreenField) => kinds.has(traits.widget);

/** Renders multi-line text, formatted text or source code. */
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
