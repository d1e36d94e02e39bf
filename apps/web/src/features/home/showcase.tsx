import { displayNameOf } from '@stoa/contracts/facts';
import { Link } from 'react-router-dom';
import { publicQuery, useRead } from '../../api/public/public.queries.ts';
import { paths } from '../../navigation/paths.ts';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { lazyOptional } from '../../ui/lazy-optional.tsx';
import { Picture } from '../../ui/pictures/picture.tsx';
import { PhonePage } from './phone-page.tsx';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

const SampleProfile = lazyOptional(async () => (await import('./sample-profile.tsx')).SampleProfile);

/**
 * A creator's page of this site, embedded in the home page; the sample if there is none. Its place is
 * reserved.
 */
export function Showcase() {
  const { data, error } = useRead(publicQuery('/api/showcase'));
  if (!data && !error) return <div className="min-h-[25rem] w-72 max-w-full" />;
  const creator = data?.creator;
  if (!creator) return <SampleProfile />;
  const name = displayNameOf(creator);
  return (
    <PhonePage
      face={<Avatar picture={creator.profileImage} name="" sizes="5rem" />}
      name={
        <Link
          to={paths.profile(creator.username)}
          className="no-underline after:absolute after:inset-0 after:rounded-[1.8rem] hover:underline"
        >
          <PersonalWords text={name} also={creator.bioPreview} />
        </Link>
      }
      username={creator.username}
      niche={creator.niches[0]}
      line={`${creator.bioPreview}...`}
      offerings={data.offerings.map(({ slug, coverImage, title, price }) => ({
        slug,
        title,
        price,
        cover: coverImage && <Picture picture={coverImage} alt="" sizes="3.6rem" />,
      }))}
    />
  );
}
