import './kernel/platform/browser/public-path.ts';
import '#deployment/palettes.css';
import './kernel/platform/theme/sizes.css';
import './kernel/platform/theme/tokens.css';
import './kernel/platform/theme/themes/index.css';
import './kernel/platform/theme/vision.css';
import './kernel/platform/theme/base.css';
import { createRoot } from 'react-dom/client';
import { manifest } from '#deployment/manifest';
import { effectiveManifest, settingsElement } from '#shared/effective-manifest';
import { createCoreServices } from './kernel/boot/core-services.ts';
import { Root } from './kernel/boot/Root.tsx';
import { ToastQueue } from './kernel/platform/feedback/toast-queue.ts';
import { KernelTexts } from './kernel/platform/i18n/kernel-texts.ts';
import { consoleTexts } from './kernel/platform/i18n/texts.ts';
import { ArcoToasts } from './kernel/ui/arco/arco-toasts.ts';

/** Imports the sign-in methods of the plugins, in one chunk with the code that asks the server which of them the tenant offers. */
const fetchSignInMethods = async () => (await import(/* webpackMode: "eager" */ '#deployment/sign-in')).signInMethods;

/** Starts the console. The core services and the sign-in page load first; the rest of the console loads in the background. */
async function start(): Promise<void> {
  const settings = document.getElementById(settingsElement)?.textContent;
  const core = await createCoreServices(effectiveManifest(manifest, settings ? JSON.parse(settings) : undefined), fetchSignInMethods);
  core.get(ToastQueue).attach(new ArcoToasts());
  const fetchConsole = async () => {
    const [{ openDeployedConsole }] = await Promise.all([import('./deployed-console.ts'), core.get(KernelTexts).add(consoleTexts)]);
    return () => openDeployedConsole(core);
  };
  createRoot(document.getElementById('root') as HTMLElement).render(<Root core={core} fetchConsole={fetchConsole} />);
}

void start();
