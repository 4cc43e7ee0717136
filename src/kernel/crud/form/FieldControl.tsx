import { Input } from '@arco-design/web-react';
import { type ComponentType, Suspense } from 'react';
import type { Widget } from '#shared/fields';
import { part } from '../../ui/loading/part.tsx';
import { ChoiceControl } from '../controls/ChoiceControl.tsx';
import type { ControlProps } from '../controls/control.ts';
import { FlagControl } from '../controls/FlagControl.tsx';
import { NumberControl } from '../controls/NumberControl.tsx';
import { TextControl } from '../controls/TextControl.tsx';

export type { ControlProps } from '../controls/control.ts';

type Control = ComponentType<ControlProps>;

const DateTimeControl = part(() => import('../controls/DateTimeControl.tsx'));
const FilesControl = part(() => import('../controls/files/FilesControl.tsx'));

/** Control of each widget; heavy or rare ones are lazy-loaded. */
const controls: { readonly [Kind in Widget]: Control } = {
  text: TextControl,
  textarea: TextControl,
  email: TextControl,
  phone: TextControl,
  url: TextControl,
  secret: part(() => import('../controls/SecretControl.tsx')),
  number: NumberControl,
  money: NumberControl,
  choice: ChoiceControl,
  flag: FlagControl,
  dictionary: part(() => import('../controls/DictionaryControl.tsx')),
  reference: part(() => import('../controls/references/ReferenceControl.tsx')),
  parent: part(() => import('../controls/ParentControl.tsx')),
  'date-time': DateTimeControl,
  date: DateTimeControl,
  time: DateTimeControl,
  period: part(() => import('../controls/PeriodControl.tsx')),
  image: FilesControl,
  attachment: FilesControl,
  'rich-text': part(() => import('../controls/RichTextControl.tsx')),
  code: part(() => import('../controls/code/CodeControl.tsx')),
  cron: part(() => import('../controls/cron/CronControl.tsx')),
};

/** Renders the control of a field's widget; while it loads, a disabled input with the title of the value. */
export function FieldControl(props: ControlProps) {
  const Asked = controls[props.field.traits.widget];
  return (
    <Suspense fallback={<Input id={props.id} disabled value={props.title ?? ''} />}>
      <Asked {...props} />
    </Suspense>
  );
}
