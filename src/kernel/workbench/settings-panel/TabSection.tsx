import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useText } from '../../platform/i18n/use-words.ts';
import { Preferences } from '../state/preferences.ts';
import { Section, Switch } from './Choices.tsx';

/** Sets the tab bar and the behaviour of its tabs. */
export function TabSection() {
  const text = useText();
  const preferences = useService(Preferences);
  const tagBar = useStore(preferences, (state) => state.tagBar);
  const homeTabClosable = useStore(preferences, (state) => state.homeTabClosable);
  const restoreTabs = useStore(preferences, (state) => state.restoreTabs);
  return (
    <Section title={text('settings.tabs')}>
      <Switch label={text('settings.tagBar')} isOn={tagBar} onChange={(isOn) => preferences.change({ tagBar: isOn })} />
      <Switch label={text('settings.homeTabClosable')} isOn={homeTabClosable} onChange={(isOn) => preferences.change({ homeTabClosable: isOn })} />
      <Switch
        label={text('settings.restoreTabs')}
        hint={text('settings.restoreTabsHint')}
        isOn={restoreTabs}
        onChange={(isOn) => preferences.change({ restoreTabs: isOn })}
      />
    </Section>
  );
}
