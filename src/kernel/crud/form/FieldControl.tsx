import { Input } from '@arco-design/web-react';
import { type ComponentType, Suspense } from 'react';
import type { Widget } from '#shared/fields';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { ChoiceControl } from '../controls/ChoiceControl.tsx';
import type { ControlProps } from '../controls/control.ts';
import { FlagControl } from '../controls/FlagControl.tsx';
import { NumberControl } from '../controls/NumberInput.tsx';
import { TextControl } from '../controls/TextControl.tsx';

export type { ControlProps } from '../controls/control.ts';

type Control = ComponentType<ControlProps>;

const DateTimeControl = lazyComponent(() => import('../controls/DateTimeControl.tsx'));
const FilesControl = lazyComponent(() => import('../controls/files/FilesControl.tsx'));

/** Control of each widget; heavy or rare ones are lazy-loaded. */
const controls: { readonly [Kind in Widget]: Control } = {
  text: TextControl,
  textarea: TextControl,
  email: TextControl,
  phone: TextControl,
  url: TextControl,
  secret: lazyComponent(() => import('../controls/SecretControl.tsx')),
  number: NumberControl,
  money: NumberControl,
  choice: ChoiceControl,
  flag: FlagControl,
  dictionary: lazyComponent(() => import('../controls/DictionaryControl.tsx')),
  reference: lazyComponent(() => import('../controls/references/ReferenceControl.tsx')),
  parent: lazyComponent(() => import('../controls/ParentControl.tsx')),
  'date-time': DateTimeControl,
  date: DateTimeControl,
  time: DateTimeControl,
  period: lazyComponent(() => import('../controls/PeriodControl.tsx')),
  image: FilesControl,
  attachment: FilesControl,
  'rich-text': lazyComponent(() => import('../controls/RichTextControl.tsx')),
  code: lazyComponent(() => import('../controls/code/CodeControl.tsx')),
  cron: lazyComponent(() => import('../controls/cron/CronControl.tsx')),
};

/** Renders the control of a field's widget; while it loads, a disabled input with the title of the value. */
export function FieldControl(props: ControlProps) {
  const WidgetControl = controls[props.field.traits.widget];
  return (
    <Suspense fallback={<Input id={props.id} disabled value={props.title ?? ''} />}>
      <WidgetControl {...props} />
    </Suspense>
  );
}
