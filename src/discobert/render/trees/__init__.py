"""RST trees and graphs as text, HTML and images."""
