import { createPortal } from 'react-dom';
import { useText } from '../i18n/use-words.ts';
import { IdleChoice } from '../lock/IdleChoice.tsx';
import { useService } from '../services.tsx';
import { Preferences } from '../shell/preferences.ts';
import SidePanelSheet from '../shell/SidePanelSheet.tsx';
import { SettingsSections } from '../slots/kernel-slots.ts';
import { Panels } from '../slots/Panels.tsx';
import { Theme } from '../theme/theme.ts';
import { AppearanceSection } from './AppearanceSection.tsx';
import { Section } from './Choices.tsx';
import { LayoutSection } from './LayoutSection.tsx';
import { ModeSection } from './ModeSection.tsx';
import styles from './SettingsPanel.module.css';
import { TabSection } from './TabSection.tsx';
import { ThemeSection } from './ThemeSection.tsx';

/** Edits the appearance and the layout of the console in a drawer; every change is applied and saved at once. */
export default function SettingsPanel({ onClose }: { readonly onClose: () => void }) {
  const text = useText();
  const theme = useService(Theme);
  const preferences = useService(Preferences);
  const reset = () => {
    theme.reset();
    preferences.reset();
  };
  return createPortal(
    <SidePanelSheet title={text('settings.title')} open width={420} onClose={onClose}>
      <div className={styles.panel}>
        <ThemeSection />
        <AppearanceSection />
        <ModeSection />
        <LayoutSection />
        <TabSection />
        <Section title={text('lock.lockScreen')}>
          <IdleChoice />
        </Section>
        <Panels of={SettingsSections} frame={(title, content) => <Section title={title}>{content}</Section>} />
        <button type="button" className={styles.reset} onClick={reset}>
          {text('settings.reset')}
        </button>
      </div>
    </SidePanelSheet>,
    document.body,
  );
}
