import { type Database, type Repository, repositoryOf } from '#server';
import { Post } from '../contract.ts';

/** Repository of positions. */
export const postsOf = (db: Database): Repository<typeof Post> => repositoryOf(db, Post, { unique: [{ fields: ['postCode'] }] });
