-- True for who was public before, and for who is made by a replica of the release before during a rollout.
ALTER TABLE "creator" ADD COLUMN "published" BOOLEAN NOT NULL DEFAULT true;
