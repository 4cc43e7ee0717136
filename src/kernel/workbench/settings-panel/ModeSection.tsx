import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { useText } from '../../platform/i18n/use-words.ts';
import { Theme } from '../../platform/theme/theme.ts';
import { Preferences } from '../state/preferences.ts';
import { Section, Switch } from './Choices.tsx';

/** Sets the modes for colour-blind and grey display, and the watermark. */
export function ModeSection() {
  const text = useText();
  const theme = useService(Theme);
  const look = useStream(theme.look$, theme.look);
  const preferences = useService(Preferences);
  const watermark = useStore(preferences, (state) => state.watermark);
  return (
    <Section title={text('settings.modes')}>
      <Switch label={text('settings.weak')} hint={text('settings.weakHint')} isOn={look.isWeak} onChange={(isWeak) => void theme.change({ isWeak })} />
      <Switch label={text('settings.grey')} isOn={look.isGrey} onChange={(isGrey) => void theme.change({ isGrey })} />
      <Switch
        label={text('settings.watermark')}
        hint={text('settings.watermarkHint')}
        isOn={watermark}
        onChange={(isOn) => preferences.change({ watermark: isOn })}
      />
    </Section>
  );
}
