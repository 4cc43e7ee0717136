import { createPortal } from 'react-dom';
import { useService } from '../../base/react/services.tsx';
import { useText } from '../../platform/i18n/use-words.ts';
import { Theme } from '../../platform/theme/theme.ts';
import SidePanelSheet from '../../ui/overlays/SidePanelSheet.tsx';
import { Panels } from '../../ui/slots/Panels.tsx';
import { IdleChoice } from '../lock/IdleChoice.tsx';
import { SettingsSections } from '../slots.ts';
import { Preferences } from '../state/preferences.ts';
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
