import { skip } from 'rxjs';
import { contribute, definePlugin, Http, Locale, lazyComponent, page, SignedIn, UserPreferences, ViewActions } from '#kernel';
import { AccountSections } from '#plugins/account/extension';
import { emailMenu, emailMessageMenu, emailTemplateMenu } from '../menus.ts';
import { MailedViewsStore } from './mailed-views-store.ts';

const MailViewButton = lazyComponent(() => import('./MailViewButton.tsx'));
/** Preference with the language of a user's e-mails; the server reads it. */
const language = { key: 'language', version: 1, preset: 'zh' } as const;

/** E-mail: the SMTP server, the templates and the log for administrators; settings of notifications and mailed views for users. */
export default definePlugin({
  id: 'email',
  title: ['邮件', 'E-mail'],
  optionalDependencies: ['account'],
  provide: (provide) => provide(MailedViewsStore, [Http]),
  pages: [
    page(emailMenu, () => import('./EmailPage.tsx')),
    page(emailTemplateMenu, () => import('./TemplatePage.tsx')),
    page(emailMessageMenu, () => import('./MessagePage.tsx')),
  ],
  contributions: [
    contribute(AccountSections, {
      title: ['通知方式', 'Notifications'],
      hint: ['选择每类通知的接收方式。', 'Choose how you get each kind of notification.'],
      icon: 'bell',
      load: () => import('./NotificationsSection.tsx'),
    }),
    contribute(AccountSections, {
      title: ['邮件视图', 'Mailed views'],
      hint: [
        '按周将保存的视图发送到您的邮箱。在列表的「视图」中选择要发送的视图。',
        'Saved views that you get by e-mail every week. Choose them under “Views” in a list.',
      ],
      icon: 'mail',
      load: () => import('./MailedViewsSection.tsx'),
    }),
    contribute(ViewActions, { Item: MailViewButton }),
  ],

  start({ get, on, onStop }) {
    const locale = get(Locale);
    const saveLanguage = () => {
      const preferences = get(UserPreferences);
      const stored = preferences.read<string>(language.key, language.version) ?? language.preset;
      if (stored !== locale.language) preferences.write(language.key, language.version, locale.language);
    };
    onStop(locale.language$.pipe(skip(1)).subscribe(saveLanguage));
    on(SignedIn, saveLanguage);
  },
});
