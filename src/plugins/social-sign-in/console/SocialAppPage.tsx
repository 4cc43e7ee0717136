import { CrudPage } from '#kernel';
import { socialApp } from '../contract.ts';
import { socialAppMenu } from '../menus.ts';
import { nouns } from './messages.ts';

/** Lists the tenant's app credentials at identity providers. */
export default function SocialAppPage() {
  return <CrudPage crud={socialApp} title={socialAppMenu.title} noun={nouns.socialApp} />;
}
