import { lazyComponent, type SignInMethod } from '#kernel';

const methods: readonly SignInMethod[] = [
  { id: 'sso', title: ['单点登录', 'SSO'], icon: 'key' },
  { id: 'providers', Step: lazyComponent(() => import('./DirectoryStep.tsx')) },
  { id: 'social', Buttons: lazyComponent(() => import('./SocialButtons.tsx')), ReturnStep: lazyComponent(() => import('./OAuthCallbackStep.tsx')) },
];
export default methods;
