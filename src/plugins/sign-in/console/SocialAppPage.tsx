import { CrudPage } from '#kernel';
import { socialApp } from '../contract.ts';
import { socialAppMenu } from '../menus.ts';

/** What the tenant is at each provider of identities. */
export default function SocialAppPage() {
  return <CrudPage crud={socialApp} title={socialAppMenu.title} />;
}
