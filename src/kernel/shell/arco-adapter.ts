import { setCreateRoot } from '@arco-design/web-react/es/_util/react-dom';
import { createRoot } from 'react-dom/client';

/** Lets Arco's static calls render on React 19. Called by name: the adapter module that Arco ships does nothing else and may be shaken away. */
export function adaptArco(): void {
  setCreateRoot(createRoot);
}
