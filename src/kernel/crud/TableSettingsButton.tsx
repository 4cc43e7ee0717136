import { Button, Checkbox, Radio, Trigger } from '@arco-design/web-react';
import { IconSettings } from '@arco-design/web-react/icon';
import { useState } from 'react';
import { useText, useWords } from '../i18n/use-words.ts';
import type { ScreenField } from './entity-fields.ts';
import type { TableSettings } from './table-settings.ts';

interface TableSettingsButtonProps {
  readonly fields: readonly ScreenField[];
  readonly settings: TableSettings;
  readonly onChange: (settings: TableSettings | undefined) => void;
}

/** Density and columns of the table, as this operator likes them. */
export function TableSettingsButton({ fields, settings, onChange }: TableSettingsButtonProps) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <Trigger
      trigger="click"
      position="br"
      escToClose
      unmountOnExit
      popupVisible={isOpen}
      onVisibleChange={setOpen}
      getPopupContainer={(button) => button.parentElement ?? document.body}
      popup={() => <SettingsPanel fields={fields} settings={settings} onChange={onChange} />}
    >
      <Button icon={<IconSettings />} aria-label={text('crud.settings')} title={text('crud.settings')} aria-expanded={isOpen} aria-haspopup="dialog" />
    </Trigger>
  );
}

function SettingsPanel({ fields, settings, onChange }: TableSettingsButtonProps) {
  const text = useText();
  const say = useWords();
  const densities = [
    { value: 'default', label: text('crud.roomy') },
    { value: 'middle', label: text('crud.moderate') },
    { value: 'small', label: text('crud.compact') },
  ];
  const show = (name: string, isShown: boolean) => {
    const others = settings.hidden.filter((hidden) => hidden !== name);
    onChange({ ...settings, hidden: isShown ? others : [...others, name] });
  };
  return (
    <div className="crud-settings" role="dialog" aria-label={text('crud.settings')}>
      <fieldset>
        <legend>{text('crud.density')}</legend>
        <Radio.Group type="button" size="small" value={settings.density} options={densities} onChange={(density) => onChange({ ...settings, density })} />
      </fieldset>
      <fieldset>
        <legend>{text('crud.columns')}</legend>
        {fields.map(({ name, traits }) => (
          <Checkbox key={name} checked={!settings.hidden.includes(name)} onChange={(isShown) => show(name, isShown)}>
            {say(traits.title)}
          </Checkbox>
        ))}
      </fieldset>
      <Button type="text" size="small" onClick={() => onChange(undefined)}>
        {text('crud.restore')}
      </Button>
    </div>
  );
}
