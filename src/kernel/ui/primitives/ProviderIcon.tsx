import { IconGithub, IconQq, IconWechat } from '@arco-design/web-react/icon';
import { Icon } from './Icon.tsx';

const size = { width: 20, height: 20 } as const;
const dingtalk =
  'M4.500 3.500c4 2.500 9.500 3.500 14.500 6-.8 3-2 5-4.300 7h2.800L10.500 21l1.300-4.500H9.500l.8-2.200C7.500 14 6 12.500 5.500 11l4 .5C6.500 9.500 4.500 7 4.500 3.500z';
const gitee =
  'M19 5h-8.500A5.500 5.500 0 0 0 5 10.500V19h9.500a4.500 4.500 0 0 0 4.500-4.500V12h-7.500v2.500h4.500a2 2 0 0 1-2 2H8v-6a2.500 2.500 0 0 1 2.500-2.500H19z';

/** Draws the logo of a sign-in provider, or a general icon, in the colour of the surrounding text. */
export function ProviderIcon({ source }: { readonly source: string }) {
  switch (source) {
    case 'wechat':
    case 'wechat_open':
      return <IconWechat style={size} aria-hidden="true" />;
    case 'qq':
      return <IconQq style={size} aria-hidden="true" />;
    case 'github':
      return <IconGithub style={size} aria-hidden="true" />;
    case 'dingtalk':
      return <ProviderLogo path={dingtalk} />;
    case 'gitee':
      return <ProviderLogo path={gitee} />;
    case 'sso':
      return <Icon name="key" size={20} />;
    default:
      return <Icon name="user" size={20} />;
  }
}

const ProviderLogo = ({ path }: { readonly path: string }) => (
  <svg width={20} height={20} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <path d={path} />
  </svg>
);
