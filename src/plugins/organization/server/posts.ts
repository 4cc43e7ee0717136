import { type Database, type Repository, repositoryOf } from '#server';
import { Post } from '../contract.ts';

/** Repository of posts. */
export const postsOf = (db: Database): Repository<typeof Post> => repositoryOf(db, Post, { unique: [{ fields: ['postCode'] }] });
