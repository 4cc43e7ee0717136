import { setCreateRoot } from '@arco-design/web-react/es/_util/react-dom';
import { createRoot } from 'react-dom/client';

/** Lets Arco's static calls render on React 19. It is called explicitly, because tree shaking may remove the side-effect module that Arco ships for this. */
export function adaptArco(): void {
  setCreateRoot(createRoot);
}
