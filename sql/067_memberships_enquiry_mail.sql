-- Which letters about new enquiries the member wants: AT_ONCE, DAILY or NONE. NULL: has not chosen, and gets what the role gets.
ALTER TABLE memberships ADD COLUMN enquiry_mail VARCHAR(7) CHARACTER SET ascii COLLATE ascii_bin NULL;
