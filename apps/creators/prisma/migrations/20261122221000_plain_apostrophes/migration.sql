-- Searches take every apostrophe for the plain one, and so must what they look through: see folded.ts of the contracts.
UPDATE "creator" SET "search_text" = translate("search_text", U&'\2018\2019\02bc\2032`', '''''''''''')
 WHERE "search_text" ~ U&'[\2018\2019\02bc\2032`]';
