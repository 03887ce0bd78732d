@NullMarked
package dev.coppice.alerts;

import org.jspecify.annotations.NullMarked;
