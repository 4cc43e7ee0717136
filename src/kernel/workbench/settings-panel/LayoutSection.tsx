import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useText } from '../../platform/i18n/use-words.ts';
import { Preferences } from '../state/preferences.ts';
import { Choices, Section } from './Choices.tsx';

const layouts = ['side', 'top', 'mixed'] as const;

/** Sets the position of the menu. */
export function LayoutSection() {
  const text = useText();
  const preferences = useService(Preferences);
  const layout = useStore(preferences, (state) => state.layout);
  return (
    <Section title={text('settings.layout')}>
      <Choices
        label={text('settings.menu')}
        value={layout}
        choices={layouts.map((value) => ({ value, label: text(`settings.layouts.${value}`) }))}
        onChange={(next) => preferences.change({ layout: next })}
      />
    </Section>
  );
}
