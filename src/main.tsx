import './kernel/theme/tokens.css';
import './kernel/theme/base.css';
import { createRoot } from 'react-dom/client';
import { manifest, plugins } from '#deployment/console';
import { createLightKernel } from './kernel/light.ts';
import { ArcoToasts } from './kernel/shell/arco-toasts.ts';
import { Root } from './kernel/shell/Root.tsx';
import { ToastQueue } from './kernel/toast-queue.ts';

/** The console's composition root: the light kernel and the sign-in page first, the rest behind them. */
async function begin(): Promise<void> {
  const light = await createLightKernel(manifest);
  light.get(ToastQueue).attach(new ArcoToasts());
  const fetchConsole = () =>
    import('./kernel/shell/console.tsx').then(
      ({ openConsole }) =>
        () =>
          openConsole(light, plugins),
    );
  createRoot(document.getElementById('root') as HTMLElement).render(<Root light={light} fetchConsole={fetchConsole} />);
}

void begin();
