import '#deployment/palettes.css';
import './kernel/theme/sizes.css';
import './kernel/theme/tokens.css';
import './kernel/theme/themes/index.css';
import './kernel/theme/vision.css';
import './kernel/theme/base.css';
import { createRoot } from 'react-dom/client';
import { manifest } from '#deployment/manifest';
import { settingsElement, settledManifest } from '#shared/settled-manifest';
import { createCoreServices } from './kernel/core-services.ts';
import { KernelTexts } from './kernel/i18n/kernel-texts.ts';
import { consoleTexts } from './kernel/i18n/texts.ts';
import { ArcoToasts } from './kernel/shell/arco-toasts.ts';
import { Root } from './kernel/shell/Root.tsx';
import { ToastQueue } from './kernel/toast-queue.ts';

/** Starts the console. The core services and the sign-in page load first; the rest of the console loads behind them. */
async function begin(): Promise<void> {
  const said = document.getElementById(settingsElement)?.textContent;
  const light = await createCoreServices(settledManifest(manifest, said ? JSON.parse(said) : undefined));
  light.get(ToastQueue).attach(new ArcoToasts());
  const fetchConsole = async () => {
    const [{ openDeployedConsole }] = await Promise.all([import('./deployed-console.ts'), light.get(KernelTexts).add(consoleTexts)]);
    return () => openDeployedConsole(light);
  };
  createRoot(document.getElementById('root') as HTMLElement).render(<Root light={light} fetchConsole={fetchConsole} />);
}

void begin();
