/** The base of every HTTP face: routes, exchanges, problems, and the server itself. */
@NullMarked
package dev.coppice.web;

import org.jspecify.annotations.NullMarked;
